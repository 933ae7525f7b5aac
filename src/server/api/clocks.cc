// Clocks of a trace: GET /traces/{t}/clocks/edges/{e}/observations, POST /traces/{t}/order,
// /traces/{t}/convert and /traces/{t}/relate.
#include "engine/clocks.h"

#include <fmt/format.h>

#include "base/cut_text.h"
#include "base/words.h"
#include "server/api/json_members.h"
#include "server/api/parameters.h"
#include "server/api/timeline_call.h"

namespace tracebraid::api {
namespace {

constexpr int64_t kMostPoints = 4096, kUsualPoints = 512;

constexpr std::string_view kObservationsSchema =
    R"({"type":"object","required":["edge","model","total","observations","curve"],"properties":{"edge":{"type":"string"},"model":{"enum":["step","linear","stated","paths"]},"total":{"type":"string"},"observations":{"type":"array","items":{"type":"object","required":["from","to","bound_ns","mapped","residual_ns","ts","file","byte_offset"],"properties":{"from":{"type":"string"},"to":{"type":"string"},"bound_ns":{"type":["string","null"]},"mapped":{"type":["string","null"]},"residual_ns":{"type":["string","null"]},"ts":{"type":["string","null"]},"file":{"type":["integer","null"]},"byte_offset":{"type":["string","null"]}}}},"curve":{"type":"array","items":{"type":"object","required":["from","bound_ns","mapped","ts"],"properties":{"from":{"type":"string"},"bound_ns":{"type":["string","null"]},"mapped":{"type":["string","null"]},"ts":{"type":["string","null"]}}}}}})";

constexpr size_t kMostClocks = 1000;  // that a call may name
constexpr std::string_view kConvertBody =
    R"({"type":"object","properties":{"ts":{"type":"string"},"from":{"type":"integer"},"event":{"type":"object","required":["kind","row"],"properties":{"kind":{"type":"string"},"row":{"type":"integer"}}},"to":{"type":"array","items":{"type":"integer"}}}})";
constexpr std::string_view kConvertSchema =
    R"({"type":"object","required":["clocks"],"properties":{"clocks":{"type":"array","items":{"type":"object","required":["clock","label","reading","bound_ns","own"],"properties":{"clock":{"type":"integer"},"label":{"type":"string"},"reading":{"type":["string","null"]},"bound_ns":{"type":["string","null"]},"own":{"type":"boolean"}}}}}})";

constexpr std::string_view kRelateBody =
    R"({"type":"object","required":["a","b","reading"],"properties":{"a":{"type":"integer"},"b":{"type":"integer"},"reading":{"type":"string"}}})";
constexpr std::string_view kRelateSchema =
    R"({"type":"object","required":["reading","bound_ns"],"properties":{"reading":{"type":["string","null"]},"bound_ns":{"type":["string","null"]}}})";

constexpr std::string_view kOrderBody =
    R"({"type":"object","required":["a","b"],"properties":{"a":{"type":"object","required":["kind","row"],"properties":{"kind":{"type":"string"},"row":{"type":"integer"}}},"b":{"type":"object","required":["kind","row"],"properties":{"kind":{"type":"string"},"row":{"type":"integer"}}}}})";
constexpr std::string_view kOrderSchema =
    R"({"type":"object","required":["order","reason","gap_ns","bound_ns","at_most","contradicted","a","b","path"],"properties":{"order":{"enum":["before","after","same","undecided","not_known"]},"reason":{"enum":["clock","flow","bounds"]},"gap_ns":{"type":["string","null"]},"bound_ns":{"type":["string","null"]},"at_most":{"type":"boolean"},"contradicted":{"type":"boolean"},"a":{"type":["object","null"]},"b":{"type":["object","null"]},"path":{"type":"array","items":{"type":"object","required":["clock","label","edge","source","bound_ns"],"properties":{"clock":{"type":"integer"},"label":{"type":"string"},"edge":{"type":["integer","null"]},"source":{"type":"string"},"bound_ns":{"type":["string","null"]}}}}}})";

void add_reading(JsonText& json, const EdgeReading& reading, bool is_observation) {
  json.open_object().add("from", std::to_string(reading.from));
  if (is_observation) json.add("to", std::to_string(reading.to));
  add_optional(json, "bound_ns", reading.bound_ns);
  add_optional(json, "mapped", reading.mapped);
  add_optional(json, "ts", reading.ts);
  if (is_observation) {
    int64_t residual = 0;
    const bool has_residual =
        reading.mapped && !__builtin_sub_overflow(reading.to, *reading.mapped, &residual);
    add_optional(json, "residual_ns", has_residual ? std::optional(residual) : std::nullopt);
    if (reading.file)
      json.add("file", *reading.file);
    else
      json.add_raw("file", "null");
    add_optional(json, "byte_offset",
                 reading.byte_offset ? std::optional(static_cast<int64_t>(*reading.byte_offset))
                                     : std::nullopt);
  }
  json.close_object();
}

http::Response get_observations(Api& api, const Call& call) {
  const auto found = find_trace(api, call);
  if (!found) return found.error();
  const std::optional<int64_t> edge = parse_decimal(call.ids[1]);
  if (!edge || *edge < 0 || *edge > UINT32_MAX) return not_found("edge", call.ids[1]);
  const Result<int64_t> most = number_parameter(call, "points", kUsualPoints, 2, kMostPoints);
  if (!most) return problem(most.error());
  ReadingSpan span;
  for (const auto& [name, bound] : {std::pair("from", &span.from_ts), {"to", &span.to_ts}}) {
    if (call.find(name) == nullptr) continue;
    const Result<int64_t> ts = number_parameter(call, name, 0, INT64_MIN, INT64_MAX);
    if (!ts) return problem(ts.error());
    *bound = *ts;
  }
  const Result<EdgeReadings> readings =
      edge_readings(*found->trace, static_cast<uint32_t>(*edge), static_cast<size_t>(*most), span);
  if (!readings) return problem(readings.error());
  JsonText json(JsonText::kCompact);
  json.open_object().add("edge", call.ids[1]).add("model", readings->model);
  json.add("total", std::to_string(readings->total)).open_array("observations");
  for (const EdgeReading& each : readings->observations) add_reading(json, each, true);
  json.close_array().open_array("curve");
  for (const EdgeReading& each : readings->curve) add_reading(json, each, false);
  json.close_array().close_object();
  return json_response(std::move(json).finish());
}

// Reads {"kind","row"}. Errors: Usage; NotFound for a row that the kind does not have.
Result<EventKey> event_key(const Timeline& timeline, const JsonValue& event) {
  TB_TRY_ASSIGN(const std::string kind_name, event.member("kind").text());
  TB_TRY_ASSIGN(const int64_t row, bounded(event.member("row"), "row", 0, UINT32_MAX));
  const std::optional<timeline::TableKind> kind = timeline::find_table_kind(kind_name);
  if (!kind || static_cast<uint64_t>(row) >= timeline.table(*kind).keys.rows)
    return fail(ErrorCode::NotFound,
                fmt::format("there is no event {} {}", cut_text(kind_name, 100), row));
  return EventKey{*kind, static_cast<uint32_t>(row)};
}

void add_event_reading(JsonText& json, std::string_view name,
                       const std::optional<EventReading>& reading) {
  if (!reading) {
    json.add_raw(name, "null");
    return;
  }
  json.open_object(name).add("clock", reading->label);
  json.add("reading", std::to_string(reading->reading_ns)).close_object();
}

Result<std::string> order_json(const TraceTimeline& trace, const Timeline& timeline,
                               const Call& call) {
  TB_TRY_ASSIGN(const JsonValue body, parse_json(call.request->body));
  TB_TRY_ASSIGN(const EventKey a, event_key(timeline, body.member("a")));
  TB_TRY_ASSIGN(const EventKey b, event_key(timeline, body.member("b")));
  TB_TRY_ASSIGN(const EventOrder found, trace.order(a, b));
  JsonText json(JsonText::kCompact);
  json.open_object().add("order", name_of(found.order)).add("reason", name_of(found.reason));
  add_optional(json, "gap_ns", found.gap_ns);
  add_optional(json, "bound_ns", found.bound_ns);
  json.add("at_most", found.is_at_most).add("contradicted", found.is_contradicted);
  add_event_reading(json, "a", found.first);
  add_event_reading(json, "b", found.second);
  json.open_array("path");
  for (const OrderStep& step : found.path) {
    json.open_object().add("clock", step.clock).add("label", step.label);
    if (step.edge)
      json.add("edge", *step.edge);
    else
      json.add_raw("edge", "null");
    json.add("source", step.source);
    add_optional(json, "bound_ns", step.bound_ns);
    json.close_object();
  }
  json.close_array().close_object();
  return std::move(json).finish();
}

Result<uint32_t> clock_member(const JsonValue& body, std::string_view name) {
  TB_TRY_ASSIGN(const int64_t row, bounded(body.member(name), name, 0, UINT32_MAX));
  return static_cast<uint32_t>(row);
}

Result<std::string> relate_json(const TraceTimeline& trace, const Timeline& timeline,
                                const Call& call) {
  TB_TRY_ASSIGN(const JsonValue body, parse_json(call.request->body));
  TB_TRY_ASSIGN(const uint32_t a, clock_member(body, "a"));
  TB_TRY_ASSIGN(const uint32_t b, clock_member(body, "b"));
  TB_TRY_ASSIGN(const int64_t reading, body.member("reading").integer());
  TB_TRY_ASSIGN(const std::vector<ClockTime> times,
                trace.orders().readings_at(timeline.store(), reading, a, {&b, 1}));
  JsonText json(JsonText::kCompact);
  json.open_object();
  add_optional(json, "reading", times.empty() ? std::nullopt : times[0].reading_ns);
  add_optional(json, "bound_ns", times.empty() ? std::nullopt : times[0].bound_ns);
  json.close_object();
  return std::move(json).finish();
}

Result<std::string> convert_json(const TraceTimeline& trace, const Timeline& timeline,
                                 const Call& call) {
  TB_TRY_ASSIGN(const JsonValue body, parse_json(call.request->body));
  const JsonValue event = body.member("event"), to = body.member("to");
  std::vector<uint32_t> clocks;
  if (to.is_given()) {
    TB_TRY(to.require(JsonValue::Kind::Array));
    const std::vector<JsonValue> items = to.elements();
    if (items.size() > kMostClocks)
      return fail(ErrorCode::Usage, fmt::format("to: give at most {} clocks", kMostClocks));
    for (const JsonValue& item : items) {
      TB_TRY_ASSIGN(const int64_t row, bounded(item, "to", 0, UINT32_MAX));
      clocks.push_back(static_cast<uint32_t>(row));
    }
  }
  const auto find = [&]() -> Result<std::vector<ClockTime>> {
    if (event.is_given()) {
      TB_TRY_ASSIGN(const EventKey key, event_key(timeline, event));
      return trace.orders().readings_at(timeline, key, clocks);
    }
    TB_TRY_ASSIGN(const int64_t ts, body.member("ts").integer());
    std::optional<uint32_t> from;
    if (body.member("from").is_given()) {
      TB_TRY_ASSIGN(from, clock_member(body, "from"));
    }
    return trace.orders().readings_at(timeline.store(), ts, from, clocks);
  };
  TB_TRY_ASSIGN(const std::vector<ClockTime> times, find());
  JsonText json(JsonText::kCompact);
  json.open_object().open_array("clocks");
  for (const ClockTime& time : times) {
    json.open_object().add("clock", time.clock).add("label", time.label);
    add_optional(json, "reading", time.reading_ns);
    add_optional(json, "bound_ns", time.bound_ns);
    json.add("own", time.is_own).close_object();
  }
  json.close_array().close_object();
  return std::move(json).finish();
}

// Answers with a document about a trace and its timeline.
template <auto kDocument>
http::Response answer_with(Api& api, const Call& call) {
  const auto found = find_timeline(api, call);
  if (!found) return found.error();
  Result<std::string> document =
      (*found)->run([&](const Timeline& timeline) { return kDocument(**found, timeline, call); });
  return document ? json_response(*std::move(document)) : problem(document.error());
}

}  // namespace

std::vector<Route> clock_routes() {
  return {{.method = "GET",
           .path = "/traces/{t}/clocks/edges/{e}/observations",
           .about = "readings of the two clocks of a row of clock_edge, with their place in a file "
                    "and the distance from the map that is used: that between the clocks, or for "
                    "evidence on no path that of the paths of both; all in ns",
           .answer = get_observations,
           .on = TaskClass::Answers,
           .parameters = {{"from", "first trace time of the observations, ns; usually all"},
                          {"to", "last trace time of the observations, ns"},
                          {"points",
                           "how many observations at most, from 2 to 4096; usually 512. "
                           "Of more, those furthest from the line are kept"}},
           .schema = kObservationsSchema},
          {.method = "POST",
           .path = "/traces/{t}/order",
           .about = "which of two events began first, by what, and how certain that is; `path` has "
                    "the clocks from that of a to that of b, each with the row of clock_edge that "
                    "leads to the next one; times are in ns",
           .answer = answer_with<order_json>,
           .on = TaskClass::Answers,
           .most_body = kMostJson,
           .body = kOrderBody,
           .schema = kOrderSchema},
          {.method = "POST",
           .path = "/traces/{t}/convert",
           .about = "what clocks (rows of clock; usually the wall clock of each machine) show at a "
                    "trace time, at a reading of the clock `from`, or at the start of an event, of "
                    "which its own clocks come first",
           .answer = answer_with<convert_json>,
           .on = TaskClass::Answers,
           .most_body = kMostJson,
           .body = kConvertBody,
           .schema = kConvertSchema},
          {.method = "POST",
           .path = "/traces/{t}/relate",
           .about = "what the clock b shows when the clock a (rows of clock) shows a reading, by "
                    "the best path between the two, and the bound of that; null without a path; "
                    "all in ns",
           .answer = answer_with<relate_json>,
           .on = TaskClass::Answers,
           .most_body = kMostJson,
           .body = kRelateBody,
           .schema = kRelateSchema}};
}

}  // namespace tracebraid::api
