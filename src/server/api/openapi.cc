// The OpenAPI document, made from the list of routes.
#include <fmt/format.h>

#include <map>

#include "base/words.h"
#include "engine/engine.h"
#include "engine/rows.h"
#include "server/api/route.h"

namespace tracebraid::api {
namespace {

void add_parameters(JsonText& json, const Route& route) {
  json.open_array("parameters");
  std::string_view rest = route.path;
  for (size_t at = 0; (at = rest.find('{')) != rest.npos;) {
    const size_t end = rest.find('}', at);
    json.open_object().add("name", rest.substr(at + 1, end - at - 1)).add("in", "path");
    json.add("required", true).add_raw("schema", R"({"type":"string"})").close_object();
    rest.remove_prefix(end);
  }
  for (const RouteParameter& each : route.parameters)
    json.open_object()
        .add("name", each.name)
        .add("in", "query")
        .add("description", each.about)
        .add_raw("schema", R"({"type":"string"})")
        .close_object();
  json.close_array();
}

void add_operation(JsonText& json, const Route& route) {
  std::string method(route.method);
  for (char& c : method) c = lower_case(c);
  json.open_object(method).add("summary", route.about);
  add_parameters(json, route);
  if (!route.body.empty())
    json.add_raw(
        "requestBody",
        fmt::format(R"({{"required":true,"content":{{"application/json":{{"schema":{}}}}}}})",
                    route.body));
  if (route.sink != nullptr)
    json.add_raw("requestBody", R"({"required":true,"content":{"application/octet-stream":{}}})");
  json.open_object("responses").open_object(route.status).add("description", route.about);
  if (route.status != "204") {
    json.open_object("content").open_object(route.type);
    if (!route.schema.empty()) json.add_raw("schema", route.schema);
    json.close_object().close_object();
  }
  json.close_object();
  json.add_raw("default", R"({"$ref":"#/components/responses/problem"})");
  json.close_object().close_object();
}

std::string make_document() {
  std::map<std::string_view, std::vector<const Route*>> paths;
  for (const Route& route : routes()) paths[route.path].push_back(&route);
  JsonText json(JsonText::kCompact);
  json.open_object().add("openapi", "3.1.0");
  json.open_object("info").add("title", "tracebraid").add("version", version()).close_object();
  json.add_raw("servers", R"([{"url":"/api/v1"}])");
  json.add_raw("security", R"([{"token":[]}])");
  json.open_object("paths");
  for (const auto& [path, operations] : paths) {
    json.open_object(path);
    for (const Route* route : operations) add_operation(json, *route);
    json.close_object();
  }
  json.add_raw(
      "/login",
      R"({"post":{"summary":"get the cookie of a page for the token","security":[],"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","properties":{"token":{"type":"string"},"code":{"type":"string"}}}}}},"responses":{"204":{"description":"the cookie"},"default":{"$ref":"#/components/responses/problem"}}}})");
  json.add_raw(
      "/ws",
      R"({"get":{"summary":"the WebSocket of a page, with the subprotocol tracebraid.1","responses":{"101":{"description":"switches protocols"},"default":{"$ref":"#/components/responses/problem"}}}})");
  json.close_object();
  json.add_raw(
      "components",
      R"({"securitySchemes":{"token":{"type":"http","scheme":"bearer"}},"responses":{"problem":{"description":"an error","content":{"application/problem+json":{"schema":{"type":"object","required":["type","title","status","detail","code"],"properties":{"type":{"type":"string"},"title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},"code":{"type":"string"},"hint":{"type":"string"},"where":{"type":"object","properties":{"line":{"type":"integer"},"column":{"type":"integer"}}}}}}}}}})");
  json.close_object();
  return std::move(json).finish();
}

}  // namespace

const std::string& openapi_json() {
  static const std::string kDocument = make_document();
  return kDocument;
}

}  // namespace tracebraid::api
