// Single events: GET /traces/{t}/events/{kind}/{row} and below, POST /hit and /step.
#include <fmt/format.h>

#include <algorithm>

#include "base/cut_text.h"
#include "base/words.h"
#include "server/api/parameters.h"
#include "server/api/timeline_call.h"

namespace tracebraid::api {
namespace {

using timeline::TableKind;

constexpr int64_t kMostArgs = 1000;
constexpr size_t kMostText = 4096, kMostChildren = 100, kMostFlows = 1000, kHoverArgs = 8;

constexpr std::string_view kEventSchema =
    R"({"type":"object","required":["kind","row","node","line","name","ts","dur","end","parents","children","fields","place","linked"]})";
constexpr std::string_view kArgsSchema =
    R"({"type":"object","required":["total","args"],"properties":{"total":{"type":"integer"},"args":{"type":"array","items":{"type":"object","required":["key","type","value"]}}}})";
constexpr std::string_view kFlowsSchema =
    R"({"type":"object","required":["flows","cut"],"properties":{"flows":{"type":"array","items":{"type":"object","required":["row","out","in","violation","step","id","name","category","from_ts","to_ts"]}},"cut":{"type":"boolean"}}})";
constexpr std::string_view kSiblingsSchema =
    R"({"type":"object","required":["name","count","mean","min","p50","p95","max","percentile","longest"],"properties":{"name":{"type":"string"},"count":{"type":"string"},"mean":{"type":"number"},"longest":{"type":"array","items":{"type":"object"}}}})";
constexpr std::string_view kHitBody =
    R"({"type":"object","required":["track","ts"],"properties":{"track":{"type":"integer"},"line":{"type":"integer"},"ts":{"type":["integer","string"]},"radius":{"type":["integer","string"]}}})";
constexpr std::string_view kHitSchema =
    R"({"type":"object","required":["hit","args","args_total"],"properties":{"hit":{"type":["object","null"]},"args":{"type":"array","items":{"type":"object"}},"args_total":{"type":"integer"}}})";
constexpr std::string_view kStepBody =
    R"({"type":"object","required":["track","row","by"],"properties":{"track":{"type":"integer"},"row":{"type":"integer"},"by":{"type":"integer"}}})";
constexpr std::string_view kStepSchema =
    R"({"type":"object","required":["event"],"properties":{"event":{"type":["object","null"]}}})";

struct EventName {
  TableKind kind{};
  uint32_t row = 0;
};
// Returns the event that the second and third id of the call name. Error NotFound.
Result<EventName> find_event(const Timeline& timeline, const Call& call) {
  const std::optional<TableKind> kind = timeline::find_table_kind(call.ids[1]);
  const std::optional<int64_t> row = parse_decimal(call.ids[2]);
  if (kind && row && *row >= 0 && static_cast<uint64_t>(*row) < timeline.table(*kind).keys.rows)
    return EventName{*kind, static_cast<uint32_t>(*row)};
  return fail(ErrorCode::NotFound,
              fmt::format("there is no event {} {}", cut_text(call.ids[1], 100),
                          cut_text(call.ids[2], 100)));
}

// Runs work(timeline, event).
template <class Work>
http::Response answer_event(const Api& api, const Call& call, Work work) {
  return answer_with_timeline(api, call, [&](const Timeline& timeline) -> Result<std::string> {
    TB_TRY_ASSIGN(const EventName event, find_event(timeline, call));
    return work(timeline, event);
  });
}

void add_time(JsonText& json, std::string_view name, int64_t value) {
  if (value == OptInt::kNull)
    json.add_raw(name, "null");
  else
    json.add(name, std::to_string(value));
}

void add_slice_members(JsonText& json, const Timeline& timeline, uint32_t row) {
  const SliceTable& slices = timeline.store().slices;
  json.add("depth", slices.depth[row]);
  add_time(json, "thread_ts", slices.thread_ts.get(row));
  add_time(json, "thread_dur", slices.thread_dur.get(row));
  add_time(json, "cpu_self", cpu_self_of(timeline, row).value_or(OptInt::kNull));
}

void add_family(JsonText& json, const Timeline& timeline, const EventName& event) {
  const bool is_slice = event.kind == TableKind::Slice;
  json.open_array("parents");
  if (is_slice)
    for (const uint32_t row : parents_of(timeline, event.row))
      add_event(json, {}, timeline, event.kind, row);
  json.close_array().open_array("children");
  size_t total = 0;
  if (is_slice) {
    const auto [children, count] = children_of(timeline, event.row, kMostChildren);
    for (const uint32_t row : children) add_event(json, {}, timeline, event.kind, row);
    total = count;
  }
  json.close_array().add("children_total", total);
  json.add("flows", is_slice ? timeline.flows().of_slice(event.row).size() : 0);
}

void add_owners(JsonText& json, const Timeline& timeline, const EventName& event) {
  const Store& store = timeline.store();
  const timeline::EventOwners owners = owners_of(timeline, event.kind, event.row);
  add_row(json, "upid", owners.upid);
  add_row(json, "utid", owners.utid);
  add_row(json, "ucpu", owners.ucpu);
  const auto add_title = [&](std::string_view name, OptRow row, auto title) {
    if (row.row == OptRow::kNull)
      json.add_raw(name, "null");
    else
      json.add(name, cut_text(title(store, row.row), kMostText));
  };
  add_title("process", owners.upid, timeline::process_title);
  add_title("thread", owners.utid, timeline::thread_title);
  add_title("machine", owners.machine, timeline::machine_title);
  const auto file_path = [](const Store& of, uint32_t row) {
    const StringId path = of.files.path[row];
    return path ? std::string(of.strings.get(path)) : std::string();
  };
  add_title("file", owners.file, file_path);
  json.open_object("place");
  add_title("file", owners.file, file_path);
  add_title("machine", owners.machine, timeline::machine_title);
  const std::optional<timeline::Placed> placed =
      timeline::placed_of(store, owners.file, owners.machine);
  json.add("rule", placed ? placed->rule : "").add("path", placed ? placed->path : "");
  add_bound(json, "bound", timeline::bound_of(store, owners.file, owners.machine));
  json.close_object();
}

Result<std::string> event_json(const Timeline& timeline, const EventName& event) {
  const std::optional<timeline::EventBrief> brief = brief_of(timeline, event.kind, event.row);
  if (!brief)
    return fail(ErrorCode::NotFound,
                fmt::format("the event {} {} belongs to no track", name_of(event.kind), event.row));
  const Store& store = timeline.store();
  JsonText json(JsonText::kCompact);
  json.open_object();
  add_brief(json, *brief);
  if (event.kind == TableKind::Slice) add_slice_members(json, timeline, event.row);
  add_family(json, timeline, event);
  const OptRow args = args_of(store, event.kind, event.row);
  add_row(json, "arg_set_id", args);
  json.add("args_total", count_args(store, args));
  add_owners(json, timeline, event);
  json.open_array("linked");
  if (store.json.id_classes.rows() > 0)
    for (const timeline::LinkedEvent& other : timeline.linked_ids().of(event.kind, event.row)) {
      json.open_object().add("kind", other.kind).add("id", cut_text(other.id, kMostText));
      add_event(json, "event", timeline, other.table, other.row);
      json.close_object();
    }
  json.close_array();
  std::vector<std::string> cut_texts;
  if (brief->name.size() > kMostText) cut_texts.emplace_back("name");
  json.open_array("fields");
  for (const timeline::EventField& field : fields_of(timeline, event.kind, event.row)) {
    json.open_object().add("name", field.name).add("value", cut_text(field.value, kMostText));
    json.close_object();
    if (field.value.size() > kMostText) cut_texts.emplace_back(field.name);
  }
  json.close_array().add("cut_texts", cut_texts).close_object();
  return std::move(json).finish();
}

http::Response get_event(Api& api, const Call& call) { return answer_event(api, call, event_json); }

http::Response get_args(Api& api, const Call& call) {
  return answer_event(
      api, call, [&](const Timeline& timeline, const EventName& event) -> Result<std::string> {
        TB_TRY_ASSIGN(const int64_t offset, number_parameter(call, "offset", 0, 0, INT64_MAX));
        TB_TRY_ASSIGN(const int64_t limit,
                      number_parameter(call, "limit", kMostArgs, 1, kMostArgs));
        const Store& store = timeline.store();
        const OptRow args = args_of(store, event.kind, event.row);
        JsonText json(JsonText::kCompact);
        json.open_object().add("total", count_args(store, args));
        add_args(json, "args", store, args, static_cast<size_t>(offset), static_cast<size_t>(limit),
                 kMostText);
        json.close_object();
        return std::move(json).finish();
      });
}

// Adds what the trace says of a flow, and when it leaves and arrives.
void add_flow_members(JsonText& json, const Timeline& timeline, uint32_t flow,
                      const timeline::FlowArrow& arrow) {
  const Store& store = timeline.store();
  const auto add_text = [&](std::string_view name, StringId id) {
    json.add(name, id ? cut_text(store.strings.get(id), kMostText) : std::string_view());
  };
  const bool is_row = flow < store.flows.rows();
  const OptInt id = is_row ? store.flows.trace_id[flow] : OptInt{};
  if (id.value == OptInt::kNull)
    json.add_raw("id", "null");
  else
    json.add("id", std::to_string(id.value));
  add_text("name", timeline::flow_text(store, flow, "name"));
  add_text("category", timeline::category_of_flow(store, timeline.flows(), flow));
  json.add("from_ts", std::to_string(arrow.out_ts)).add("to_ts", std::to_string(arrow.in_ts));
}

http::Response get_flows(Api& api, const Call& call) {
  return answer_event(
      api, call, [&](const Timeline& timeline, const EventName& event) -> Result<std::string> {
        TB_TRY_ASSIGN(const int64_t depth, number_parameter(call, "depth", 1, 1, 64));
        JsonText json(JsonText::kCompact);
        json.open_object().open_array("flows");
        bool is_cut = false;
        if (event.kind == TableKind::Slice) {
          const auto [flows, has_more] =
              flows_of(timeline, event.row, static_cast<unsigned>(depth), kMostFlows);
          is_cut = has_more;
          for (const timeline::FlowStep& flow : flows) {
            const timeline::FlowArrow arrow = timeline.flows().arrow(flow.flow);
            json.open_object().add("row", flow.flow);
            add_event(json, "out", timeline, TableKind::Slice, arrow.out);
            add_event(json, "in", timeline, TableKind::Slice, arrow.in);
            json.add("violation", timeline.flows().is_violation(flow.flow));
            add_time(json, "off_by_ns", timeline.flows().off_by(flow.flow).value_or(OptInt::kNull));
            json.add("step", flow.step);
            add_flow_members(json, timeline, flow.flow, arrow);
            json.close_object();
          }
        }
        json.close_array().add("cut", is_cut).close_object();
        return std::move(json).finish();
      });
}

http::Response get_siblings(Api& api, const Call& call) {
  return answer_event(
      api, call, [&](const Timeline& timeline, const EventName& event) -> Result<std::string> {
        TB_TRY_ASSIGN(const timeline::Siblings siblings,
                      siblings_of(timeline, event.kind, event.row, *call.request->gone));
        const auto brief = brief_of(timeline, event.kind, event.row);
        JsonText json(JsonText::kCompact);
        json.open_object().add("name", brief ? cut_text(brief->name, kMostText) : "");
        json.add("count", std::to_string(siblings.count));
        add_real(json, "mean", siblings.mean);
        for (const auto& [name, value] :
             {std::pair("min", siblings.min), std::pair("p50", siblings.p50),
              std::pair("p95", siblings.p95), std::pair("max", siblings.max)})
          json.add(name, std::to_string(value));
        add_real(json, "percentile", siblings.percentile);
        json.open_array("longest");
        for (const uint32_t row : siblings.longest) add_event(json, {}, timeline, event.kind, row);
        json.close_array().close_object();
        return std::move(json).finish();
      });
}

Result<std::string> whole_text(const Timeline& timeline, const EventName& event,
                               const std::string& field) {
  if (field == "name")
    if (const auto brief = brief_of(timeline, event.kind, event.row))
      return std::string(brief->name);
  for (timeline::EventField& each : fields_of(timeline, event.kind, event.row))
    if (each.name == field) return std::move(each.value);
  if (field.starts_with("args."))
    if (std::optional<std::string> value =
            arg_text(timeline.store(), args_of(timeline.store(), event.kind, event.row),
                     std::string_view(field).substr(5)))
      return *std::move(value);
  return fail(ErrorCode::NotFound,
              fmt::format("field: the event has no text '{}'", cut_text(field, 200)));
}

http::Response get_text(Api& api, const Call& call) {
  const std::string* const field = call.find("field");
  if (field == nullptr) return problem(kBadRequest, "field: missing; name a field or an arg");
  http::Response response =
      answer_event(api, call, [&](const Timeline& timeline, const EventName& event) {
        return whole_text(timeline, event, *field);
      });
  if (response.status == 200) response.type = "text/plain; charset=utf-8";
  return response;
}

Result<std::string> hit_json(const Timeline& timeline, const Call& call) {
  TB_TRY_ASSIGN(const JsonValue body, parse_json(call.request->body));
  TB_TRY_ASSIGN(const int64_t track, bounded(body.member("track"), "track", 0, UINT32_MAX));
  TB_TRY_ASSIGN(const int64_t line, body.member("line").integer(0));
  TB_TRY_ASSIGN(const int64_t ts, body.member("ts").integer());
  TB_TRY_ASSIGN(const int64_t radius, body.member("radius").integer(0));
  if (static_cast<size_t>(track) >= timeline.tracks().size())
    return fail(ErrorCode::NotFound, fmt::format("there is no track {}", track));
  std::optional<uint32_t> row;
  if (line >= 0 && line <= UINT32_MAX)
    row = event_at(timeline, static_cast<uint32_t>(track), static_cast<uint32_t>(line), ts, radius);
  const TableKind kind = timeline.tracks()[static_cast<size_t>(track)].table;
  JsonText json(JsonText::kCompact);
  json.open_object();
  OptRow args;
  if (row) {
    add_event(json, "hit", timeline, kind, *row);
    args = args_of(timeline.store(), kind, *row);
  } else {
    json.add_raw("hit", "null");
  }
  add_args(json, "args", timeline.store(), args, 0, kHoverArgs, 200);
  json.add("args_total", count_args(timeline.store(), args)).close_object();
  return std::move(json).finish();
}

http::Response post_hit(Api& api, const Call& call) {
  return answer_with_timeline(api, call,
                              [&](const Timeline& timeline) { return hit_json(timeline, call); });
}

Result<std::string> step_json(const Timeline& timeline, const Call& call) {
  TB_TRY_ASSIGN(const JsonValue body, parse_json(call.request->body));
  TB_TRY_ASSIGN(const int64_t track, bounded(body.member("track"), "track", 0, UINT32_MAX));
  TB_TRY_ASSIGN(const int64_t row, bounded(body.member("row"), "row", 0, UINT32_MAX));
  TB_TRY_ASSIGN(const int64_t by, body.member("by").integer());
  if (static_cast<size_t>(track) >= timeline.tracks().size())
    return fail(ErrorCode::NotFound, fmt::format("there is no track {}", track));
  const std::optional<uint32_t> to =
      step(timeline, static_cast<uint32_t>(track), static_cast<uint32_t>(row), by);
  JsonText json(JsonText::kCompact);
  json.open_object();
  if (to)
    add_event(json, "event", timeline, timeline.tracks()[static_cast<size_t>(track)].table, *to);
  else
    json.add_raw("event", "null");
  json.close_object();
  return std::move(json).finish();
}

http::Response post_step(Api& api, const Call& call) {
  return answer_with_timeline(api, call,
                              [&](const Timeline& timeline) { return step_json(timeline, call); });
}

}  // namespace

std::vector<Route> event_routes() {
  return {{.method = "GET",
           .path = "/traces/{t}/events/{kind}/{row}",
           .about = "one event with its place, parents, children and fields",
           .answer = get_event,
           .on = TaskClass::Tiles,
           .schema = kEventSchema},
          {.method = "GET",
           .path = "/traces/{t}/events/{kind}/{row}/args",
           .about = "args of an event, in the order of the file",
           .answer = get_args,
           .on = TaskClass::Tiles,
           .parameters = {{"offset", "number of the first arg"},
                          {"limit", "args of the answer: at most 1000"}},
           .schema = kArgsSchema},
          {.method = "GET",
           .path = "/traces/{t}/events/{kind}/{row}/flows",
           .about = "flows of a slice",
           .answer = get_flows,
           .on = TaskClass::Tiles,
           .parameters = {{"depth", "flows from the slice that are followed: 1 to 64"}},
           .schema = kFlowsSchema},
          {.method = "GET",
           .path = "/traces/{t}/events/{kind}/{row}/siblings",
           .about = "durations of the events of the same name",
           .answer = get_siblings,
           .on = TaskClass::Search,
           .schema = kSiblingsSchema},
          {.method = "GET",
           .path = "/traces/{t}/events/{kind}/{row}/text",
           .about = "a text of an event that its details cut",
           .answer = get_text,
           .on = TaskClass::Answers,
           .parameters = {{"field", "name, a field, or args.KEY"}},
           .type = "text/plain"},
          {.method = "POST",
           .path = "/traces/{t}/hit",
           .about = "the event at a time of a line, or the nearest one",
           .answer = post_hit,
           .on = TaskClass::Tiles,
           .most_body = kMostJson,
           .body = kHitBody,
           .schema = kHitSchema},
          {.method = "POST",
           .path = "/traces/{t}/step",
           .about = "the next or a previous event of a line",
           .answer = post_step,
           .on = TaskClass::Tiles,
           .most_body = kMostJson,
           .body = kStepBody,
           .schema = kStepSchema}};
}

}  // namespace tracebraid::api
