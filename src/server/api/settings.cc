// What the viewer keeps for its user: GET and PUT /settings, GET and PUT /states/{key}.
#include "server/api/json_body.h"
#include "server/api/problem.h"
#include "server/api/route.h"

namespace tracebraid::api {
namespace {

constexpr uint64_t kMostSettings = uint64_t{256} << 10;
constexpr uint64_t kMostState = uint64_t{4} << 20;
constexpr size_t kVersions = 20;
constexpr std::string_view kObject = R"({"type":"object"})";

http::Response not_kept() {
  return problem(kNotFound, "this server keeps nothing, because it knows no folder of its user");
}

http::Response write(Api& api, const std::string& name, const std::string& body) {
  if (!api.documents.are_kept()) return not_kept();
  if (const Result<JsonValue> json = parse_json(body); !json) return problem(json.error());
  const Result<> written = api.documents.write(name, body, kVersions);
  return written ? http::Response{.status = 204} : problem(written.error());
}

http::Response get_settings(Api& api, const Call& /*call*/) {
  if (!api.documents.are_kept()) return not_kept();
  Result<std::string> text = api.documents.read("settings");
  return json_response(text ? *std::move(text) : "{}");
}

http::Response put_settings(Api& api, const Call& call) {
  return write(api, "settings", call.request->body);
}

http::Response get_state(Api& api, const Call& call) {
  if (!is_document_name(call.ids[0])) return not_found("state", call.ids[0]);
  if (!api.documents.are_kept()) return not_kept();
  Result<std::string> text = api.documents.read("states/" + call.ids[0]);
  return text ? json_response(*std::move(text)) : not_found("state", call.ids[0]);
}

http::Response put_state(Api& api, const Call& call) {
  if (!is_document_name(call.ids[0]))
    return problem(kBadRequest, "key: up to 128 letters, digits, '.', '_' and '-'");
  return write(api, "states/" + call.ids[0], call.request->body);
}

}  // namespace

std::vector<Route> settings_routes() {
  return {{.method = "GET",
           .path = "/settings",
           .about = "the settings of the viewer; an empty object at first",
           .answer = get_settings,
           .on = TaskClass::Answers,
           .schema = kObject},
          {.method = "PUT",
           .path = "/settings",
           .about = "replace the settings, of at most 256 KiB",
           .answer = put_settings,
           .on = TaskClass::Answers,
           .most_body = kMostSettings,
           .body = kObject,
           .status = "204"},
          {.method = "GET",
           .path = "/states/{key}",
           .about = "the last state of the viewer that was kept under a key",
           .answer = get_state,
           .on = TaskClass::Answers,
           .schema = kObject},
          {.method = "PUT",
           .path = "/states/{key}",
           .about = "keep a state, of at most 4 MiB; the server keeps the last 20 of a key",
           .answer = put_state,
           .on = TaskClass::Answers,
           .most_body = kMostState,
           .body = kObject,
           .status = "204"}};
}

}  // namespace tracebraid::api
