// GET /status: version, limits and load.
#include "server/api/status.h"

#include <unistd.h>

#include "engine/archive.h"
#include "engine/engine.h"
#include "engine/export.h"
#include "engine/rows.h"
#include "server/api/route.h"
#include "server/api/stored_result.h"

namespace tracebraid::api {
namespace {

http::Response get_status(Api& api, const Call& /*call*/) {
  JsonText json(JsonText::kCompact);
  json.open_object();
  json.add("version", version()).add("api", 1).add("session", api.session).add("pid", ::getpid());
  json.add("uptime_s",
           std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - api.began).count());
  json.open_array("features");
  for (const char* feature :
       {"traces", "queries", "results", "uploads", "exports", "arrow", "timeline"})
    json.add({}, feature);
  if (!api.roots.empty()) json.add({}, "files");
  if (api.documents.are_kept()) json.add({}, "settings").add({}, "states");
  if (api.options.has_rpc || !api.options.rpc_socket.empty()) json.add({}, "rpc");
  json.close_array().open_array("exports");
  for (const std::string_view kind : export_kinds()) json.add({}, kind);
  json.close_array().open_array("roots");
  for (const Root& root : api.roots) json.add({}, root.name);
  json.close_array();
  json.add_raw("limits", limits_json(api));
  uint64_t results = 0;
  for (const auto& result : api.results.all()) results += result->bytes();
  json.open_object("load");
  json.add("connections", api.connections()).add("pages", api.pages.load());
  json.add("queries_running", api.pool.running(TaskClass::Sql));
  json.add("queries_waiting", api.pool.waiting(TaskClass::Sql));
  json.add("results_bytes", results).add("spool_bytes", api.spool->used());
  json.close_object().close_object();
  return json_response(std::move(json).finish());
}

http::Response get_manifest_schema(Api& /*api*/, const Call& /*call*/) {
  return {.type = "application/json", .static_body = manifest_schema_json()};
}

}  // namespace

std::string limits_json(const Api& api) {
  JsonText json(JsonText::kCompact);
  json.open_object();
  json.add("max_traces", api.options.max_traces).add("max_queries", api.options.max_queries);
  json.add("query_timeout_s", api.options.query_timeout_s);
  json.add("query_memory", api.options.query_memory);
  json.add("body", kMostJson).add("upload_chunk", kMostChunk);
  json.add("spool_limit", api.options.spool_limit);
  json.add("result_bytes", StoredResult::kMostBytes).add("page_rows", kMostPageRows);
  json.close_object();
  return std::move(json).finish();
}

std::vector<Route> status_routes() {
  return {
      {.method = "GET",
       .path = "/manifest.schema.json",
       .about = "the JSON Schema of merge manifests",
       .answer = get_manifest_schema,
       .schema = R"({"type":"object"})"},
      {.method = "GET",
       .path = "/status",
       .about = "version, features, limits and load",
       .answer = get_status,
       .schema =
           R"({"type":"object","required":["version","api","session","features","limits","load"],"properties":{"version":{"type":"string"},"api":{"type":"integer"},"session":{"type":"string"},"pid":{"type":"integer"},"uptime_s":{"type":"integer"},"features":{"type":"array","items":{"type":"string"}},"exports":{"type":"array","items":{"type":"string"}},"roots":{"type":"array","items":{"type":"string"}},"limits":{"type":"object"},"load":{"type":"object"}}})"}};
}

}  // namespace tracebraid::api
