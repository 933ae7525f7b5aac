// Exports: POST /traces/{t}/exports begins a job, whose file GET /jobs/{j}/file sends.
#include "engine/export.h"

#include <algorithm>
#include <utility>

#include "engine/rows.h"
#include "server/api/json_body.h"
#include "server/api/problem.h"
#include "server/api/route.h"

namespace tracebraid::api {
namespace {

struct Kind {
  std::string_view name, ending;
};
// The kinds that write one file, in any case.
constexpr Kind kFiles[] = {
    {"perfetto", ".pftrace"}, {"json", ".json"}, {"braid", ".braid"}, {"sqlite", ".db"}};

Result<std::vector<std::string>> texts_of(const JsonValue& array) {
  std::vector<std::string> texts;
  for (const JsonValue& each : array.elements()) {
    TB_TRY_ASSIGN(std::string text, each.text());
    texts.push_back(std::move(text));
  }
  return texts;
}

struct ExportPlan {
  std::string kind, ending;
  ExportRequest request;
};

Result<ExportPlan> read_plan(const std::string& body) {
  TB_TRY_ASSIGN(const JsonValue json, parse_json(body));
  ExportPlan plan;
  TB_TRY_ASSIGN(plan.kind, json.member("kind").text());
  if (std::ranges::find(export_kinds(), plan.kind) == export_kinds().end())
    return fail(ErrorCode::Usage, "kind: there is no export '" + plan.kind + "'");
  TB_TRY_ASSIGN(plan.request.tables, texts_of(json.member("tables")));
  TB_TRY_ASSIGN(plan.request.query, json.member("query").text(""));
  const JsonValue selection = json.member("selection");
  TB_TRY_ASSIGN(plan.request.selection.from, selection.member("from").text(""));
  TB_TRY_ASSIGN(plan.request.selection.to, selection.member("to").text(""));
  TB_TRY_ASSIGN(plan.request.selection.clock, selection.member("clock").text(""));
  TB_TRY_ASSIGN(plan.request.selection.machines, texts_of(selection.member("machines")));
  TB_TRY_ASSIGN(plan.request.selection.processes, texts_of(selection.member("processes")));
  const auto* const known = std::ranges::find(kFiles, plan.kind, &Kind::name);
  plan.ending = known == std::end(kFiles) ? "." + plan.kind : std::string(known->ending);
  const bool is_one_file =
      known != std::end(kFiles) || plan.request.tables.size() == 1 || !plan.request.query.empty();
  if (!is_one_file)
    return fail(ErrorCode::Usage,
                "tables: name one table, or give a query, because this kind "
                "writes a file for each table");
  return plan;
}

void run_export(const std::shared_ptr<const Trace>& trace, Job& job, ExportPlan plan,
                unsigned most_seconds) {
  job.start();
  plan.request.stop = job.stop;
  if (!plan.request.query.empty() && most_seconds != 0)
    plan.request.deadline = Clock::now() + std::chrono::seconds(most_seconds);
  plan.request.path = job.folder->path() + "/trace" + plan.ending;
  const Result<ExportReport> report = export_trace(trace, plan.kind, plan.request, job.progress);
  // An export that Api::tick() cancelled for lack of space fails with that reason.
  Result<> ended = job.folder->count();
  if (ended && !report) ended = tl::unexpected(report.error());
  if (ended) {
    job.file = plan.request.path;
    job.file_name = "trace" + plan.ending;
  }
  job.end(ended);
}

http::Response post_export(Api& api, const Call& call) {
  auto found = find_trace(api, call);
  if (!found) return found.error();
  Result<ExportPlan> plan = read_plan(call.request->body);
  if (!plan) return problem(plan.error());
  const uint64_t id = api.new_id();
  auto folder = SpoolFolder::create(*api.spool, "export-" + std::to_string(id));
  if (!folder) return problem(folder.error());
  const auto job = std::make_shared<Job>(id, "export", found->open->id, *std::move(folder));
  api.jobs.add(job->id, job);
  api.pool.submit(TaskClass::Files, [job, trace = std::move(found->trace), plan = *std::move(plan),
                                     most_seconds = api.options.query_timeout_s] {
    run_export(trace, *job, plan, most_seconds);
  });
  return started_response(*job);
}

}  // namespace

std::vector<Route> export_routes() {
  return {
      {.method = "POST",
       .path = "/traces/{t}/exports",
       .about = "write the trace as a file for other programs, as a job",
       .answer = post_export,
       .on = TaskClass::Answers,
       .most_body = kMostJson,
       .body =
           R"({"type":"object","required":["kind"],"properties":{"kind":{"type":"string"},"tables":{"type":"array","items":{"type":"string"}},"query":{"type":"string"},"selection":{"type":"object"}}})",
       .status = "202",
       .schema = kStartedJobSchema}};
}

}  // namespace tracebraid::api
