// Drafts of a manifest (spec viewer 7): POST /drafts, GET, PUT and DELETE /drafts/{d},
// GET /drafts/{d}/report, /check and /lanes, POST /drafts/{d}/files; draft_actions.cc has /open and
// /archive, draft_places.cc /snap and /suggest.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/words.h"
#include "engine/report.h"
#include "engine/rows.h"
#include "server/api/json_body.h"
#include "server/api/json_members.h"
#include "server/api/open_draft.h"
#include "server/api/open_request.h"
#include "server/api/parameters.h"
#include "server/api/problem.h"
#include "server/api/report_text.h"
#include "server/api/route.h"
#include "server/api/timeline_call.h"

namespace tracebraid::api {
namespace {

constexpr int64_t kUsualPixels = 1024, kMostPixels = 4096;
constexpr size_t kMostNamed = 1000;               // lanes or edges that a call may name
constexpr size_t kMostBuckets = size_t{4} << 20;  // of all lanes of an answer
constexpr ProblemCode kPreconditionFailed{"precondition_failed", 412};

constexpr std::string_view kStartedSchema =
    R"({"type":"object","required":["draft","job"],"properties":{"draft":{"type":"string"},"job":{"type":"string"}}})";
constexpr std::string_view kDraftSchema =
    R"({"type":"object","required":["draft","name","state","job","version","manifest","without","inputs","command","events","memory"],"properties":{"draft":{"type":"string"},"name":{"type":"string"},"state":{"enum":["reading","ready","failed","cancelled"]},"job":{"type":"string"},"version":{"type":"string"},"manifest":{"type":["string","null"]},"without":{"type":"array","items":{"type":"integer"}},"inputs":{"type":"array","items":{"type":"object"}},"command":{"type":"string"},"events":{"type":"string"},"memory":{"type":"string"},"error":{"type":"object"}}})";
constexpr std::string_view kReplaceBody =
    R"({"type":"object","required":["manifest"],"properties":{"manifest":{"type":["string","object","null"]},"without":{"type":"array","items":{"type":"integer"}}}})";
constexpr std::string_view kFilesBody =
    R"({"type":"object","required":["inputs"],"properties":{"inputs":{"type":"array","minItems":1,"items":{"type":"object","properties":{"path":{"type":"string"},"root":{"type":"string"},"upload":{"type":"string"}}}}}})";
constexpr std::string_view kVersionSchema =
    R"({"type":"object","required":["version"],"properties":{"version":{"type":"string"}}})";
constexpr std::string_view kReportSchema =
    R"({"type":"object","required":["version","placed_in_ms","whole","without","timeline","placements","losses","problems","trouble"],"properties":{"version":{"type":"string"},"placed_in_ms":{"type":"number"},"whole":{"type":"boolean"},"without":{"type":"array","items":{"type":"object","required":["edge","from","to","kind"],"properties":{"edge":{"type":"integer"},"from":{"type":"string"},"to":{"type":"string"},"kind":{"type":"string"}}}},"command":{"type":"string"},"timeline":{"type":"object"},"placements":{"type":"array","items":{"type":"object"}},"losses":{"type":"array"},"broken_flows":{"type":"array"},"not_imported":{"type":"array"},"problems":{"type":"array"},"trouble":{"type":"array","items":{"type":"string"}}}})";
constexpr std::string_view kLanesSchema =
    R"({"type":"object","required":["version","from","to","px","lanes"],"properties":{"version":{"type":"string"},"from":{"type":"string"},"to":{"type":"string"},"px":{"type":"integer"},"lanes":{"type":"array","items":{"type":"object","required":["file","path","name","events","first_ts","last_ts","buckets","counts","firsts"],"properties":{"file":{"type":"integer"},"path":{"type":"string"},"name":{"type":"string"},"events":{"type":"string"},"first_ts":{"type":["string","null"]},"last_ts":{"type":["string","null"]},"buckets":{"type":"array","items":{"type":"integer"}},"counts":{"type":"array","items":{"type":"integer"}},"firsts":{"type":"array","items":{"type":"string"}}}}}}})";

std::string etag_of(uint64_t version) { return fmt::format("\"{}\"", version); }

http::Response with_etag(http::Response response, uint64_t version) {
  response.headers.push_back({"ETag", etag_of(version)});
  return response;
}

// Reads the inputs on a thread of its class.
void read_draft(Api& api, OpenDraft& draft,
                const std::shared_ptr<const OpenDraft::Source>& source) {
  Job& job = *source->job;
  job.start();
  const auto read = [&]() -> Result<> {
    TB_TRY_ASSIGN(const std::vector<TraceInput> inputs, trace_inputs(*source->request));
    TB_TRY_ASSIGN(std::shared_ptr<const Draft> opened,
                  Draft::open(api.host.engine, inputs, source->request->options, job.progress));
    draft.set(source, std::move(opened));
    return {};
  };
  job.end(read());
}

// An input that is no trace is a problem of the report, so that the others are placed.
OpenDraft::Source source_of(Api& api, OpenRequest request) {
  request.options.skip_unknown = true;
  return {.request = std::make_shared<const OpenRequest>(std::move(request)),
          .job = std::make_shared<Job>(api.new_id(), "draft", 0)};
}

// Begins to read the inputs, and returns the answer.
http::Response begin_reading(Api& api, const std::shared_ptr<OpenDraft>& draft) {
  const std::shared_ptr<const OpenDraft::Source> source = draft->source();
  api.jobs.add(source->job->id, source->job);
  api.pool.submit(TaskClass::Files, [&api, draft, source] { read_draft(api, *draft, source); });
  JsonText json(JsonText::kCompact);
  json.open_object().add("draft", std::to_string(draft->id));
  json.add("job", std::to_string(source->job->id)).close_object();
  return json_response(std::move(json).finish(), 202);
}

http::Response post_drafts(Api& api, const Call& call) {
  Result<OpenRequest> request = read_open_request(api, call.request->body);
  if (!request) return refused_inputs(request.error());
  if (api.drafts.size() >= api.options.max_traces)
    return problem(kLimit, fmt::format("{} drafts are kept already; delete one, or raise "
                                       "--max-traces",
                                       api.options.max_traces));
  const std::string manifest = std::exchange(request->manifest, {});
  const auto draft = std::make_shared<OpenDraft>(api.new_id(), source_of(api, *std::move(request)));
  if (!manifest.empty()) draft->replace(manifest, {}, std::nullopt);
  api.drafts.add(draft->id, draft);
  return begin_reading(api, draft);
}

// Adds inputs to those of a draft, whose manifest stays, and reads all of them again.
http::Response post_files(Api& api, const Call& call) {
  const auto found = find_draft(api, call);
  if (!found) return found.error();
  Result<OpenRequest> more = read_open_request(api, call.request->body);
  if (!more) return refused_inputs(more.error());
  const std::shared_ptr<const OpenDraft::Source> source = (*found)->source();
  OpenRequest request = *source->request;
  std::ranges::move(more->inputs, std::back_inserter(request.inputs));
  std::ranges::move(more->paths, std::back_inserter(request.paths));
  std::ranges::move(more->uploads, std::back_inserter(request.uploads));
  request.bytes += more->bytes;
  if (!(*found)->restart(source, source_of(api, std::move(request))))
    return problem(kConflict, "the inputs are still being read");
  return begin_reading(api, *found);
}

http::Response get_draft(Api& api, const Call& call) {
  const auto draft = find_draft(api, call);
  if (!draft) return draft.error();
  return with_etag(json_response((*draft)->json()), (*draft)->version().number);
}

// Returns the version that the request expects; nothing if it expects none.
Result<std::optional<uint64_t>> expected_version(const http::Request& request) {
  std::string_view tag = request.header("if-match");
  if (tag.empty() || tag == "*") return std::nullopt;
  if (tag.size() > 2 && tag.starts_with('"') && tag.ends_with('"'))
    tag = tag.substr(1, tag.size() - 2);
  const auto version = parse_decimal(tag);
  if (!version || *version < 0)
    return fail(ErrorCode::Usage, "If-Match: give the ETag of the draft");
  return static_cast<uint64_t>(*version);
}

// Reads the member "without": rows of clock_edge.
Result<std::vector<uint32_t>> edges_without(const JsonValue& body) {
  std::vector<uint32_t> rows;
  const JsonValue without = body.member("without");
  if (!without.is_given()) return rows;
  TB_TRY(without.require(JsonValue::Kind::Array));
  const std::vector<JsonValue> items = without.elements();
  if (items.size() > kMostNamed)
    return fail(ErrorCode::Usage, fmt::format("without: give at most {} edges", kMostNamed));
  for (const JsonValue& item : items) {
    TB_TRY_ASSIGN(const int64_t row, bounded(item, "without", 0, UINT32_MAX));
    rows.push_back(static_cast<uint32_t>(row));
  }
  return rows;
}

http::Response put_draft(Api& api, const Call& call) {
  const auto draft = find_draft(api, call);
  if (!draft) return draft.error();
  const auto change = [&]() -> Result<std::optional<uint64_t>> {
    TB_TRY_ASSIGN(const std::optional<uint64_t> expected, expected_version(*call.request));
    TB_TRY_ASSIGN(const JsonValue body, parse_json(call.request->body));
    TB_TRY_ASSIGN(std::vector<uint32_t> without, edges_without(body));
    const JsonValue manifest = body.member("manifest");
    std::optional<std::string> text;
    if (manifest.kind() == JsonValue::Kind::Object) {
      text = manifest.json();
    } else if (manifest.kind() != JsonValue::Kind::Null) {
      TB_TRY_ASSIGN(text, manifest.text());
    }
    return (*draft)->replace(std::move(text), std::move(without), expected);
  };
  const Result<std::optional<uint64_t>> version = change();
  if (!version) return problem(version.error());
  if (!*version)
    return problem(kPreconditionFailed, "the draft was changed meanwhile; read it again");
  JsonText json(JsonText::kCompact);
  json.open_object().add("version", std::to_string(**version)).close_object();
  return with_etag(json_response(std::move(json).finish()), **version);
}

http::Response delete_draft(Api& api, const Call& call) {
  const auto draft = api.drafts.remove(call.id(0));
  if (draft == nullptr) return not_found("draft", call.ids[0]);
  draft->source()->job->cancel();
  return {.status = 204};
}

http::Response report_response(const OpenDraft& draft, const OpenDraft::Places& places,
                               const CheckReport& report, bool is_whole) {
  JsonText head(JsonText::kCompact);
  head.open_object().add("version", std::to_string(places.version));
  head.add_raw("placed_in_ms", fmt::format("{:.3f}", places.took_ms));
  head.add_raw("whole", is_whole ? "true" : "false");
  head.add("command", command_of(*draft.source()->request)).open_array("without");
  for (const DraftEdge& edge : places.places->without()) {
    head.open_object().add("edge", edge.row).add("from", edge.from).add("to", edge.to);
    head.add("kind", edge.kind).close_object();
  }
  head.close_array();
  return with_etag(json_response(std::move(head).finish() + "," +
                                 with_texts_for_times(report_json(report)).substr(1)),
                   places.version);
}

http::Response get_report(Api& api, const Call& call) {
  const auto draft = find_draft(api, call);
  if (!draft) return draft.error();
  const auto places = find_places(**draft);
  if (!places) return places.error();
  return report_response(**draft, *places, *places->report, places->places->is_whole());
}

http::Response get_check(Api& api, const Call& call) {
  const auto draft = find_draft(api, call);
  if (!draft) return draft.error();
  const auto places = find_places(**draft);
  if (!places) return places.error();
  Progress progress;
  const Result<CheckReport> report = places->places->whole_report(progress);
  return report ? report_response(**draft, *places, *report, true) : problem(report.error());
}

// Reads a list of rows of trace_file: "3,5,8".
Result<std::vector<uint32_t>> files_parameter(const Call& call) {
  std::vector<uint32_t> files;
  std::string_view text = {};
  if (const std::string* const given = call.find("files")) text = *given;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const auto file = parse_decimal(text.substr(0, comma));
    if (!file || *file < 0 || *file > UINT32_MAX || files.size() == kMostNamed)
      return fail(ErrorCode::Usage,
                  fmt::format("files: give at most {} rows of trace_file, with commas between",
                              kMostNamed));
    files.push_back(static_cast<uint32_t>(*file));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return files;
}

// Returns the window of the call: usually from the first to the last event.
Result<LaneWindow> window_of(const Call& call, const CheckReport& report) {
  LaneWindow window;
  const int64_t end = report.end_ts < INT64_MAX ? report.end_ts + 1 : INT64_MAX;
  TB_TRY_ASSIGN(window.from, number_parameter(call, "from", report.start_ts, INT64_MIN, INT64_MAX));
  TB_TRY_ASSIGN(window.to, number_parameter(call, "to", end, INT64_MIN, INT64_MAX));
  TB_TRY_ASSIGN(const int64_t pixels, number_parameter(call, "px", kUsualPixels, 1, kMostPixels));
  if (window.from >= window.to) return fail(ErrorCode::Usage, "from: must be before to");
  window.buckets = static_cast<uint32_t>(pixels);
  return window;
}

void add_lane(JsonText& json, const DraftLane& lane) {
  json.open_object().add("file", lane.file).add("path", lane.path).add("name", lane.name);
  json.add("events", std::to_string(lane.events));
  add_optional(json, "first_ts", lane.first_ts);
  add_optional(json, "last_ts", lane.last_ts);
  std::string buckets, counts, firsts;
  for (const DraftLane::Bucket& bucket : lane.buckets) {
    const std::string_view comma = buckets.empty() ? "" : ",";
    fmt::format_to(std::back_inserter(buckets), "{}{}", comma, bucket.index);
    fmt::format_to(std::back_inserter(counts), "{}{}", comma, bucket.events);
    fmt::format_to(std::back_inserter(firsts), "{}\"{}\"", comma, bucket.first_ts);
  }
  json.add_raw("buckets", "[" + buckets + "]").add_raw("counts", "[" + counts + "]");
  json.add_raw("firsts", "[" + firsts + "]").close_object();
}

Result<std::string> lanes_json(const OpenDraft::Places& placed, const Call& call) {
  TB_TRY_ASSIGN(const LaneWindow window, window_of(call, *placed.report));
  TB_TRY_ASSIGN(const std::vector<uint32_t> files, files_parameter(call));
  TB_TRY_ASSIGN(std::vector<DraftLane> lanes, placed.places->lanes(files, window));
  lanes.resize(std::min(lanes.size(), std::max<size_t>(1, kMostBuckets / window.buckets)));
  JsonText json(JsonText::kCompact);
  json.open_object().add("version", std::to_string(placed.version));
  json.add("from", std::to_string(window.from)).add("to", std::to_string(window.to));
  json.add("px", window.buckets).open_array("lanes");
  for (const DraftLane& lane : lanes) add_lane(json, lane);
  json.close_array().close_object();
  return std::move(json).finish();
}

http::Response get_lanes(Api& api, const Call& call) {
  const auto draft = find_draft(api, call);
  if (!draft) return draft.error();
  const auto places = find_places(**draft);
  if (!places) return places.error();
  Result<std::string> document = lanes_json(*places, call);
  return document ? json_response(*std::move(document)) : problem(document.error());
}

}  // namespace

std::vector<Route> draft_routes() {
  std::vector<Route> routes = {
      {.method = "POST",
       .path = "/drafts",
       .about = "read inputs once, to try manifests on them, as a job",
       .answer = post_drafts,
       .on = TaskClass::Answers,
       .most_body = kMostJson,
       .body = kOpenBody,
       .status = "202",
       .schema = kStartedSchema},
      {.method = "GET",
       .path = "/drafts/{d}",
       .about = "a draft and the manifest that it tries; ETag is its version",
       .answer = get_draft,
       .schema = kDraftSchema},
      {.method = "PUT",
       .path = "/drafts/{d}",
       .about = "replace the manifest of a draft, and the evidence to place without: rows of "
                "clock_edge of the same manifest; If-Match: only of this version, else 412",
       .answer = put_draft,
       .on = TaskClass::Answers,
       .most_body = kMostJson,
       .body = kReplaceBody,
       .schema = kVersionSchema},
      {.method = "DELETE",
       .path = "/drafts/{d}",
       .about = "drop a draft and what was read for it",
       .answer = delete_draft,
       .on = TaskClass::Answers,
       .status = "204"},
      {.method = "POST",
       .path = "/drafts/{d}/files",
       .about = "add inputs to a draft, whose manifest stays, and read all of them, as a job",
       .answer = post_files,
       .on = TaskClass::Answers,
       .most_body = kMostJson,
       .body = kFilesBody,
       .status = "202",
       .schema = kStartedSchema},
      {.method = "GET",
       .path = "/drafts/{d}/report",
       .about = "where the manifest places the inputs, as GET /traces/{t}/report; without what "
                "only the tables of events show, unless it is whole: losses of assembling, and "
                "flows that end before they start",
       .answer = get_report,
       .on = TaskClass::Answers,
       .schema = kReportSchema},
      {.method = "GET",
       .path = "/drafts/{d}/check",
       .about = "the report of the trace with this manifest, as `tracebraid check --json` prints; "
                "reads the inputs again, which takes as long as opening them",
       .answer = get_check,
       .on = TaskClass::Files,
       .schema = kReportSchema},
      {.method = "GET",
       .path = "/drafts/{d}/lanes",
       .about = "the density of the events of each file, for buckets with events: their "
                "numbers, counts and the times of their first events",
       .answer = get_lanes,
       .on = TaskClass::Answers,
       .parameters = {{"from", "start of the window, ns; usually the first event"},
                      {"to", "end of the window, ns; usually behind the last event"},
                      {"px", "number of buckets, at most 4096; usually 1024"},
                      {"files", "rows of trace_file, with commas between; usually all"}},
       .schema = kLanesSchema}};
  std::ranges::move(draft_action_routes(), std::back_inserter(routes));
  std::ranges::move(draft_place_routes(), std::back_inserter(routes));
  return routes;
}

}  // namespace tracebraid::api
