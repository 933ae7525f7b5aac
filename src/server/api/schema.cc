// What SQL can name, for completion: GET /traces/{t}/schema.
#include "engine/schema.h"
#include "base/words.h"
#include "engine/connection.h"
#include "engine/rows.h"
#include "server/api/problem.h"
#include "server/api/route.h"

namespace tracebraid::api {
namespace {

void add_column(JsonText& json, std::string_view name, std::string_view type,
                std::string_view about) {
  json.open_object().add("name", name);
  if (!type.empty()) json.add("type", type);
  if (!about.empty()) json.add("about", about);
  json.close_object();
}

void add_relation(JsonText& json, const RelationInfo& relation) {
  const RelationDeclaration* const declared = find_relation(relation.name);
  json.open_object().add("name", relation.name);
  json.add("kind", relation.sql.empty() ? "table" : "view");
  if (declared != nullptr && !declared->about.empty()) json.add("about", declared->about);
  json.open_array("columns");
  for (const std::string& column : relation.columns) {
    const ColumnDeclaration* found = nullptr;
    if (declared != nullptr)
      for (const ColumnDeclaration& each : declared->columns)
        if (each.name == column) found = &each;
    add_column(json, column, found == nullptr ? "" : found->type,
               found == nullptr ? "" : found->about);
  }
  json.close_array().close_object();
}

// Adds the objects of a module, which statements can name once they include it.
void add_objects(JsonText& json, const DocumentedModule& module) {
  json.open_array("objects");
  for (const DocumentedObject& object : module.objects) {
    if (object.is_internal()) continue;
    json.open_object().add("name", object.name).add("kind", in_lower_case(name_of(object.kind)));
    json.add("about", object.about);
    if (!object.arguments.empty()) {
      json.open_array("arguments");
      for (const DocumentedName& each : object.arguments)
        add_column(json, each.name, each.type, each.about);
      json.close_array();
    }
    if (!object.columns.empty()) {
      json.open_array("columns");
      for (const DocumentedName& each : object.columns)
        add_column(json, each.name, each.type, each.about);
      json.close_array();
    }
    if (!object.return_type.empty()) json.add("returns", object.return_type);
    json.close_object();
  }
  json.close_array();
}

void add_module(JsonText& json, const std::string& key) {
  json.open_object().add("key", key);
  for (const DocumentedModule& module : library_documentation()) {
    if (module.key != key) continue;
    json.add("about", module.about);
    add_objects(json, module);
  }
  json.close_object();
}

http::Response schema_of(TraceConnection& connection) {
  Result<std::vector<RelationInfo>> relations = connection.relations();
  if (!relations) return problem(relations.error());
  JsonText json(JsonText::kCompact);
  json.open_object().open_array("relations");
  for (const RelationInfo& relation : *relations) add_relation(json, relation);
  json.close_array().open_array("functions");
  for (const std::string& name : connection.function_names())
    json.open_object().add("name", name).close_object();
  json.close_array().open_array("modules");
  for (const std::string& key : connection.module_keys()) add_module(json, key);
  json.close_array().close_object();
  return json_response(std::move(json).finish());
}

http::Response get_schema(Api& api, const Call& call) {
  const auto found = find_trace(api, call);
  if (!found) return found.error();
  Result<std::unique_ptr<TraceConnection>> connection = found->open->take_connection();
  if (!connection) return problem(connection.error());
  http::Response response = schema_of(**connection);
  found->open->give_back(*std::move(connection));
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
