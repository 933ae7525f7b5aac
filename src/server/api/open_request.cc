#include "server/api/open_request.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "server/api/json_body.h"
#include "server/api/problem.h"
#include "server/api/roots.h"

namespace tracebraid::api {
namespace {

// The options of reading that a request may set: those that name no file of the server.
constexpr std::string_view kAllowedOptions[] = {
    "strict",        "drop-negative",          "clock-model",       "clock-fit",
    "join-flows",    "clock-sync-same-domain", "clock-sync-strict", "no-ftrace-raw",
    "max-json-depth"};

Result<> add_input(const Api& api, const JsonValue& input, OpenRequest& request) {
  TB_TRY_ASSIGN(const int64_t id, input.member("upload").integer(0));
  if (id != 0) {
    const auto upload = api.uploads.find(static_cast<uint64_t>(id));
    if (upload == nullptr)
      return fail(ErrorCode::NotFound, "there is no upload '" + std::to_string(id) + "'");
    if (upload->received != upload->size)
      return fail(ErrorCode::Usage, upload->name + ": the upload is not complete");
    request.inputs.push_back(
        {.name = upload->name, .path = {}, .root = {}, .upload = std::to_string(id)});
    request.uploads.push_back(upload);
    request.bytes += upload->size;
    return {};
  }
  TB_TRY_ASSIGN(const std::string path, input.member("path").text());
  TB_TRY_ASSIGN(const std::string root, input.member("root").text(""));
  TB_TRY_ASSIGN(std::string resolved, path_of_input(api, root, path));
  request.inputs.push_back({.name = path, .path = path, .root = root, .upload = {}});
  request.paths.push_back(std::move(resolved));
  return {};
}

}  // namespace

Result<OpenRequest> read_open_request(const Api& api, const std::string& body) {
  TB_TRY_ASSIGN(const JsonValue json, parse_json(body));
  OpenRequest request;
  TB_TRY(json.member("inputs").require(JsonValue::Kind::Array));
  for (const JsonValue& input : json.member("inputs").elements())
    TB_TRY(add_input(api, input, request));
  if (request.inputs.empty()) return fail(ErrorCode::Usage, "inputs: give at least one");
  OpenOptions options;
  options.trace = api.options.trace;
  for (const auto& [key, value] : json.member("options").members()) {
    if (std::ranges::find(kAllowedOptions, key) == std::end(kAllowedOptions))
      return fail(ErrorCode::Usage, "options." + key + ": not an option that a request may set");
    TB_TRY_ASSIGN(const std::string text, value.text());
    TB_TRY(set_option(options, key, text));
  }
  request.options = std::move(options.trace);
  const JsonValue manifest = json.member("manifest");
  if (manifest.is_given()) {
    TB_TRY(manifest.require(JsonValue::Kind::Object));
    request.manifest = manifest.json();
  }
  return request;
}

http::Response refused_inputs(const Error& error) {
  return error.code == ErrorCode::Unsupported ? problem(kForbidden, error.message) : problem(error);
}

}  // namespace tracebraid::api
