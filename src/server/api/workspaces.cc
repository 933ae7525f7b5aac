// Workspaces: POST /traces/{t}/workspaces, DELETE /traces/{t}/workspaces/{w}.
#include "engine/rows.h"
#include "server/api/problem.h"
#include "server/api/route.h"

namespace tracebraid::api {
namespace {

http::Response post_workspace(Api& api, const Call& call) {
  const auto trace = api.traces.find(call.id(0));
  if (trace == nullptr) return not_found("trace", call.ids[0]);
  const uint64_t id = api.new_id();
  if (trace->make_workspace(id) == nullptr)
    return problem(kRateLimited, "the trace has 16 workspaces already; delete one");
  JsonText json(JsonText::kCompact);
  json.open_object().add("workspace", std::to_string(id)).close_object();
  return json_response(std::move(json).finish(), 201);
}

http::Response delete_workspace(Api& api, const Call& call) {
  const auto trace = api.traces.find(call.id(0));
  if (trace == nullptr) return not_found("trace", call.ids[0]);
  if (!trace->remove_workspace(call.id(1))) return not_found("workspace", call.ids[1]);
  for (const auto& query : api.queries.all())
    if (query->workspace == call.id(1)) query->stop->request();
  return {.status = 204};
}

}  // namespace

std::vector<Route> workspace_routes() {
  return {
      {.method = "POST",
       .path = "/traces/{t}/workspaces",
       .about = "make a workspace: a connection with its own temporary tables; up to 16",
       .answer = post_workspace,
       .most_body = kMostJson,
       .body = R"({"type":"object"})",
       .status = "201",
       .schema =
           R"({"type":"object","required":["workspace"],"properties":{"workspace":{"type":"string"}}})"},
      {.method = "DELETE",
       .path = "/traces/{t}/workspaces/{w}",
       .about = "drop a workspace and end its query",
       .answer = delete_workspace,
       .on = TaskClass::Answers,
       .status = "204"}};
}

}  // namespace tracebraid::api
