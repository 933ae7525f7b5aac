// What is made of a draft: POST /drafts/{d}/open opens its inputs with its manifest as a trace,
// /archive packs both.
#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/archive.h"
#include "engine/rows.h"
#include "server/api/json_body.h"
#include "server/api/open_draft.h"
#include "server/api/opening.h"
#include "server/api/problem.h"
#include "server/api/route.h"

namespace tracebraid::api {
namespace {

constexpr std::string_view kArchiveBody =
    R"({"type":"object","properties":{"format":{"enum":["tar","zip"]}}})";

http::Response post_open(Api& api, const Call& call) {
  const auto found = find_draft(api, call);
  if (!found) return found.error();
  OpenRequest request = *(*found)->source()->request;
  request.manifest = (*found)->version().manifest.value_or("");
  return open_and_answer(api, std::move(request));
}

// Returns the paths of the inputs. Uploads are links with the names of their files, because the
// archive has these names.
Result<std::vector<std::string>> named_paths(const OpenRequest& request,
                                             const std::string& folder) {
  std::vector<std::string> paths = request.paths;
  for (size_t i = 0; i < request.uploads.size(); ++i) {
    const Upload& upload = *request.uploads[i];
    const std::string name = std::filesystem::path(upload.name).filename();
    const std::string within = fmt::format("{}/{}", folder, i);
    const std::string path = within + "/" + (name.empty() || name == ".." ? "trace" : name);
    std::error_code failed;
    std::filesystem::create_directories(within, failed);
    if (!failed) std::filesystem::create_symlink(upload.path, path, failed);
    if (failed) return fail(ErrorCode::Io, fmt::format("{}: {}", upload.name, failed.message()));
    paths.push_back(path);
  }
  return paths;
}

void run_archive(const Api& api, Job& job, const OpenRequest& request,
                 const std::optional<std::string>& manifest, const std::string& ending) {
  job.start();
  const std::string links = job.folder->path() + "/inputs";
  const std::string output = job.folder->path() + "/merged" + ending;
  const auto pack = [&]() -> Result<> {
    TB_TRY_ASSIGN(const std::vector<std::string> paths, named_paths(request, links));
    TB_TRY(merge_archive(*api.host.engine, paths, manifest, request.options.skip_unknown, output,
                         job.progress));
    return {};
  };
  const Result<> packed = pack();
  std::error_code ignored;
  std::filesystem::remove_all(links, ignored);
  // A job that Api::tick() cancelled for lack of space fails with that reason.
  Result<> ended = job.folder->count();
  if (ended) ended = packed;
  if (ended) {
    job.file = output;
    job.file_name = "merged" + ending;
  }
  job.end(ended);
}

http::Response post_archive(Api& api, const Call& call) {
  const auto found = find_draft(api, call);
  if (!found) return found.error();
  const OpenDraft& draft = **found;
  const auto format = [&]() -> Result<std::string> {
    TB_TRY_ASSIGN(const JsonValue body, parse_json(call.request->body));
    TB_TRY_ASSIGN(std::string name, body.member("format").text("tar"));
    if (name != "tar" && name != "zip") return fail(ErrorCode::Usage, "format: tar or zip");
    return name;
  };
  const Result<std::string> name = format();
  if (!name) return problem(name.error());
  const std::shared_ptr<const OpenRequest> request = draft.source()->request;
  if (!request->buffers.empty())
    return problem(Error{ErrorCode::Usage, "standard input cannot be packed, only files"});
  const uint64_t id = api.new_id();
  auto folder = SpoolFolder::create(*api.spool, "archive-" + std::to_string(id));
  if (!folder) return problem(folder.error());
  const auto job = std::make_shared<Job>(id, "archive", 0, *std::move(folder));
  api.jobs.add(job->id, job);
  api.pool.submit(TaskClass::Files,
                  [&api, job, request, manifest = draft.version().manifest, ending = "." + *name] {
                    run_archive(api, *job, *request, manifest, ending);
                  });
  return started_response(*job);
}

}  // namespace

std::vector<Route> draft_action_routes() {
  return {{.method = "POST",
           .path = "/drafts/{d}/open",
           .about = "open the inputs with the manifest of the draft as a trace, as a job",
           .answer = post_open,
           .on = TaskClass::Answers,
           .most_body = kMostJson,
           .body = R"({"type":"object"})",
           .status = "202",
           .schema = kOpeningSchema},
          {.method = "POST",
           .path = "/drafts/{d}/archive",
           .about = "pack the inputs and the manifest of the draft into one file, as a job; "
                    "GET /jobs/{j}/file sends it",
           .answer = post_archive,
           .on = TaskClass::Answers,
           .most_body = kMostJson,
           .body = kArchiveBody,
           .status = "202",
           .schema = kStartedJobSchema}};
}

}  // namespace tracebraid::api
