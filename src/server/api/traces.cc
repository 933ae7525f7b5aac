// Traces: GET and POST /traces, GET and DELETE /traces/{t}, GET /traces/{t}/manifest.
#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/rows.h"
#include "server/api/json_body.h"
#include "server/api/opening.h"
#include "server/api/problem.h"
#include "server/api/roots.h"
#include "server/api/route.h"

namespace tracebraid::api {
namespace {

constexpr std::string_view kTraceSchema =
    R"({"type":"object","required":["id","name","state","job","inputs","missing","warnings"],"properties":{"id":{"type":"string"},"name":{"type":"string"},"state":{"enum":["opening","open","failed","cancelled"]},"job":{"type":"string"},"inputs":{"type":"array","items":{"type":"object"}},"missing":{"type":"array","items":{"type":"object"}},"warnings":{"type":"array","items":{"type":"string"}},"problems":{"type":"integer"},"start_ts":{"type":"string"},"end_ts":{"type":"string"},"error":{"type":"object"}}})";
constexpr std::string_view kIdentitySchema =
    R"({"type":"object","required":["key","has_state","inputs"],"properties":{"key":{"type":["string","null"]},"has_state":{"type":"boolean"},"inputs":{"type":"array","items":{"type":"object","required":["name","size","digest"],"properties":{"name":{"type":"string"},"size":{"type":"integer"},"digest":{"type":"string"}}}}}})";
constexpr std::string_view kManifestSchema =
    R"({"type":"object","required":["manifest","input"],"properties":{"manifest":{"type":["string","null"]},"input":{"type":["integer","null"]}}})";
constexpr std::string_view kTracesSchema =
    R"({"type":"object","required":["traces"],"properties":{"traces":{"type":"array","items":{"type":"object"}}}})";
constexpr std::string_view kStartedSchema =
    R"({"type":"object","required":["job","trace"],"properties":{"job":{"type":"string"},"trace":{"type":"string"}}})";
constexpr std::string_view kOpenBody =
    R"({"type":"object","required":["inputs"],"properties":{"inputs":{"type":"array","minItems":1,"items":{"type":"object","properties":{"path":{"type":"string"},"root":{"type":"string"},"upload":{"type":"string"}}}},"manifest":{"type":"object"},"options":{"type":"object","additionalProperties":{"type":"string"}}}})";

// The options of reading that a request may set: those that name no file of the server.
constexpr std::string_view kAllowedOptions[] = {
    "strict",        "drop-negative",          "clock-model",       "clock-fit",
    "join-flows",    "clock-sync-same-domain", "clock-sync-strict", "no-ftrace-raw",
    "max-json-depth"};

http::Response get_traces(Api& api, const Call& /*call*/) {
  JsonText json(JsonText::kCompact);
  json.open_object().open_array("traces");
  for (const auto& trace : api.traces.all()) json.add_raw({}, trace->json());
  json.close_array().close_object();
  return json_response(std::move(json).finish());
}

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

Result<OpenRequest> read_request(const Api& api, const std::string& body) {
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

http::Response post_traces(Api& api, const Call& call) {
  Result<OpenRequest> request = read_request(api, call.request->body);
  if (!request && request.error().code == ErrorCode::Unsupported)
    return problem(kForbidden, request.error().message);
  if (!request) return problem(request.error());
  const Result<std::shared_ptr<OpenTrace>> trace = begin_opening(api, *std::move(request));
  if (!trace) return problem(trace.error());
  JsonText json(JsonText::kCompact);
  json.open_object();
  json.add("job", std::to_string((*trace)->job->id)).add("trace", std::to_string((*trace)->id));
  json.close_object();
  return json_response(std::move(json).finish(), 202);
}

http::Response get_trace(Api& api, const Call& call) {
  const auto trace = api.traces.find(call.id(0));
  return trace == nullptr ? not_found("trace", call.ids[0]) : json_response(trace->json());
}

http::Response get_manifest(Api& api, const Call& call) {
  const auto found = find_trace(api, call);
  if (!found) return found.error();
  const AppliedManifest manifest = found->open->manifest();
  JsonText json(JsonText::kCompact);
  json.open_object();
  if (manifest.text.empty())
    json.add_raw("manifest", "null");
  else
    json.add("manifest", manifest.text);
  if (manifest.input)
    json.add("input", *manifest.input);
  else
    json.add_raw("input", "null");
  json.close_object();
  return json_response(std::move(json).finish());
}

http::Response get_identity(Api& api, const Call& call) {
  const auto found = find_trace(api, call);
  if (!found) return found.error();
  const std::optional<TraceIdentity> identity = found->open->identity();
  JsonText json(JsonText::kCompact);
  json.open_object();
  if (identity)
    json.add("key", identity->key);
  else
    json.add_raw("key", "null");
  json.add("has_state", identity && api.documents.are_kept() &&
                            api.documents.read("states/" + identity->key).has_value());
  json.open_array("inputs");
  if (identity)
    for (const FileIdentity& file : identity->files)
      json.open_object()
          .add("name", file.name)
          .add("size", file.size)
          .add("digest", file.digest)
          .close_object();
  json.close_array().close_object();
  return json_response(std::move(json).finish());
}

http::Response delete_trace(Api& api, const Call& call) {
  const auto trace = api.traces.remove(call.id(0));
  if (trace == nullptr) return not_found("trace", call.ids[0]);
  trace->job->cancel();
  trace->closing.request();
  for (const auto& query : api.queries.all())
    if (query->trace == trace->id) query->stop->request();
  for (const auto& search : api.searches.all())
    if (search->trace == trace->id) {
      search->stop.request();
      api.searches.remove(search->id);
    }
  return {.status = 204};
}

}  // namespace

std::vector<Route> trace_routes() {
  return {
      {.method = "GET",
       .path = "/traces",
       .about = "the traces that are open or being opened",
       .answer = get_traces,
       .schema = kTracesSchema},
      {.method = "POST",
       .path = "/traces",
       .about = "open inputs as one trace, as a job",
       .answer = post_traces,
       .on = TaskClass::Answers,
       .most_body = kMostJson,
       .body = kOpenBody,
       .status = "202",
       .schema = kStartedSchema},
      {.method = "GET",
       .path = "/traces/{t}",
       .about = "one trace",
       .answer = get_trace,
       .schema = kTraceSchema},
      {.method = "GET",
       .path = "/traces/{t}/manifest",
       .about = "the text of the manifest that applies to all inputs, and which input it is",
       .answer = get_manifest,
       .schema = kManifestSchema},
      {.method = "GET",
       .path = "/traces/{t}/identity",
       .about =
           "sizes and digests of the files without the manifest; a key made of them, under which "
           "the viewer keeps its state, or null if the bytes are not from files; and whether "
           "the server has a state under it",
       .answer = get_identity,
       .on = TaskClass::Answers,
       .schema = kIdentitySchema},
      {.method = "DELETE",
       .path = "/traces/{t}",
       .about = "close a trace and end its queries",
       .answer = delete_trace,
       .on = TaskClass::Answers,
       .status = "204"}};
}

}  // namespace tracebraid::api
