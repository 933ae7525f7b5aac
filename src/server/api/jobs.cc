// Jobs: GET and DELETE /jobs/{j}, GET /jobs/{j}/file.
#include "server/api/problem.h"
#include "server/api/route.h"
#include "server/api/send_file.h"

namespace tracebraid::api {
namespace {

constexpr std::string_view kJobSchema =
    R"({"type":"object","required":["job","kind","state","stage","done","total","unit","elapsed_ms"],"properties":{"job":{"type":"string"},"kind":{"enum":["import","export","draft","archive"]},"state":{"enum":["queued","running","done","failed","cancelled"]},"trace":{"type":"string"},"stage":{"type":"string"},"done":{"type":"integer"},"total":{"type":"integer"},"unit":{"type":"string"},"elapsed_ms":{"type":"integer"},"file":{"type":"string"},"error":{"type":"object"}}})";

http::Response get_job(Api& api, const Call& call) {
  const auto job = api.jobs.find(call.id(0));
  return job == nullptr ? not_found("job", call.ids[0]) : json_response(job->json());
}

http::Response delete_job(Api& api, const Call& call) {
  const auto job = api.jobs.find(call.id(0));
  if (job == nullptr) return not_found("job", call.ids[0]);
  job->cancel();
  return {.status = 204};
}

http::Response get_job_file(Api& api, const Call& call) {
  const auto job = api.jobs.find(call.id(0));
  if (job == nullptr) return not_found("job", call.ids[0]);
  if (job->state() != RunState::Done || job->file.empty())
    return problem(kNotFound, "the job has written no file");
  return send_file(job->file, job->file_name);
}

}  // namespace

std::vector<Route> job_routes() {
  return {{.method = "GET",
           .path = "/jobs/{j}",
           .about = "state and progress of a job; kept 10 minutes after its end",
           .answer = get_job,
           .schema = kJobSchema},
          {.method = "DELETE",
           .path = "/jobs/{j}",
           .about = "cancel a job",
           .answer = delete_job,
           .status = "204"},
          {.method = "GET",
           .path = "/jobs/{j}/file",
           .about = "the file that an export wrote",
           .answer = get_job_file,
           .on = TaskClass::Search,
           .type = "application/octet-stream"}};
}

}  // namespace tracebraid::api
