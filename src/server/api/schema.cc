// What SQL can name, for completion: GET /traces/{t}/schema.
#include "engine/connection.h"
#include "server/api/json_out.h"
#include "server/api/problem.h"
#include "server/api/route.h"

namespace tracebraid::api {
namespace {

http::Response schema_of(TraceConnection& connection) {
  Result<std::vector<RelationInfo>> relations = connection.relations();
  if (!relations) return problem(relations.error());
  JsonOut json;
  json.open_object().open_array("relations");
  for (const RelationInfo& relation : *relations) {
    json.open_object().add("name", relation.name);
    json.add("kind", relation.sql.empty() ? "table" : "view").open_array("columns");
    for (const std::string& column : relation.columns)
      json.open_object().add("name", column).close_object();
    json.close_array().close_object();
  }
  json.close_array().open_array("functions");
  for (const std::string& name : connection.function_names())
    json.open_object().add("name", name).close_object();
  json.close_array().open_array("modules");
  for (const std::string& key : connection.module_keys())
    json.open_object().add("key", key).close_object();
  json.close_array().close_object();
  return json_response(std::move(json).finish());
}

http::Response get_schema(Api& api, const Call& call) {
  const auto trace = api.traces.find(call.id(0));
  if (trace == nullptr) return not_found("trace", call.ids[0]);
  if (const Result<std::shared_ptr<const Trace>> open = trace->find(); !open)
    return problem(kConflict, open.error().message);
  Result<std::unique_ptr<TraceConnection>> connection = trace->take_connection();
  if (!connection) return problem(connection.error());
  http::Response response = schema_of(**connection);
  trace->give_back(*std::move(connection));
  return response;
}

}  // namespace

std::vector<Route> schema_routes() {
  return {
      {.method = "GET",
       .path = "/traces/{t}/schema",
       .about = "tables, views, functions and modules that statements can name",
       .answer = get_schema,
       .on = TaskClass::Answers,
       .schema =
           R"({"type":"object","required":["relations","functions","modules"],"properties":{"relations":{"type":"array","items":{"type":"object","required":["name","kind","columns"]}},"functions":{"type":"array","items":{"type":"object","required":["name"]}},"modules":{"type":"array","items":{"type":"object","required":["key"]}}}})"}};
}

}  // namespace tracebraid::api
