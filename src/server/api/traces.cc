// Traces: GET and POST /traces, GET and DELETE /traces/{t}, GET /traces/{t}/manifest.
#include <utility>

#include "engine/rows.h"
#include "server/api/open_request.h"
#include "server/api/opening.h"
#include "server/api/problem.h"
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

http::Response get_traces(Api& api, const Call& /*call*/) {
  JsonText json(JsonText::kCompact);
  json.open_object().open_array("traces");
  for (const auto& trace : api.traces.all()) json.add_raw({}, trace->json());
  json.close_array().close_object();
  return json_response(std::move(json).finish());
}

http::Response post_traces(Api& api, const Call& call) {
  Result<OpenRequest> request = read_open_request(api, call.request->body);
  if (!request) return refused_inputs(request.error());
  return open_and_answer(api, *std::move(request));
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
       .schema = kOpeningSchema},
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
