#include "format/gecko/markers.h"

#include <map>
#include <utility>

#include "format/gecko/frames.h"
#include "format/json_args.h"
#include "format/profile.h"

namespace tracebraid::gecko {
namespace {

constexpr double kNsPerMs = 1e6;
enum Phase : int64_t { kInstant = 0, kInterval = 1, kStart = 2, kEnd = 3 };

struct Marker {
  std::string_view name, category;
  int64_t phase = kInstant;
  std::optional<int64_t> start, end;  // ns
  JsonValue data;
};

class Writer {
 public:
  Writer(const MarkersOf& of, EventSink& sink) : of_(of), sink_(sink) {}

  void add(const Marker& marker);
  // Starts that nothing ended are open.
  void finish();

 private:
  void write(const Marker& marker, std::optional<int64_t> end, JsonValue end_data);
  uint32_t track_of(const Marker& marker);
  void add_data(const JsonValue& data);
  uint32_t stack_of(const JsonValue& data);

  const MarkersOf& of_;
  EventSink& sink_;
  std::map<std::string_view, std::vector<Marker>> open_;  // by name, innermost last
  std::map<std::pair<std::string_view, std::string_view>, uint32_t> tracks_;  // name, category
};

void Writer::add(const Marker& marker) {
  switch (marker.phase) {
    case kInstant:
      if (marker.start) return write(marker, marker.start, {});
      break;
    case kInterval:
      if (marker.start && marker.end) return write(marker, marker.end, {});
      break;
    case kStart:
      if (marker.start) return open_[marker.name].push_back(marker);
      break;
    case kEnd: {
      std::vector<Marker>& open = open_[marker.name];
      if (!marker.end) break;
      if (open.empty()) return sink_.tally(Stat::gecko_marker_end_without_start);
      const Marker start = open.back();
      open.pop_back();
      return write(start, marker.end, marker.data);
    }
    default:
      break;
  }
  sink_.tally(Stat::gecko_bad_row);
}

void Writer::finish() {
  for (const auto& [name, starts] : open_)
    for (const Marker& start : starts) write(start, std::nullopt, {});
}

void Writer::write(const Marker& marker, std::optional<int64_t> end, JsonValue end_data) {
  int64_t dur = 0;
  if (end && __builtin_sub_overflow(*end, *marker.start, &dur))
    return sink_.tally(Stat::gecko_bad_row);
  const EventKind kind = end ? EventKind::Slice : EventKind::SliceBegin;
  Event event = plain_event(kind, track_of(marker), sink_.string(marker.name), *marker.start,
                            of_.facts.clock);
  event.value = dur;
  event.category = sink_.string(marker.category);
  sink_.open_args();
  add_data(marker.data);
  add_data(end_data);
  event.args = sink_.close_args();
  if (const uint32_t callsite = stack_of(marker.data); callsite != kNone) {
    EventBatch& batch = sink_.batch();
    batch.stacks.slice_stacks.push_back({callsite, kNone});
    SliceExtra extra;
    extra.stack = static_cast<uint32_t>(batch.stacks.slice_stacks.size() - 1);
    event.extra = static_cast<uint32_t>(batch.slice_extras.size());
    batch.slice_extras.push_back(extra);
  }
  sink_.event(event);
}

// Where a marker says what led to it, that is a profile of one sample.
JsonValue cause_of(const JsonValue& data) {
  const JsonValue stack = json_member(data, "stack");
  return stack ? stack : json_member(data, "cause");
}

void Writer::add_data(const JsonValue& data) {
  simdjson::dom::object members;
  if (!data || data->get(members) != simdjson::SUCCESS) return;
  for (const auto& [key, value] : members) {
    const bool is_cause = (key == "stack" || key == "cause") && value.is_object();
    if (!is_cause) add_json_args(sink_, "data." + std::string(key), value);
  }
}

uint32_t Writer::stack_of(const JsonValue& data) {
  const JsonValue cause = cause_of(data);
  int64_t index = json_integer(json_member(cause, "stack")).value_or(kNoIndex);
  if (const JsonValue samples = json_member(cause, "samples")) {
    const std::vector<int64_t> stacks = indexes(Table(samples).column("stack"));
    if (!stacks.empty()) index = stacks.front();
  }
  const std::vector<uint32_t>& callsites = of_.callsites;
  return index >= 0 && static_cast<size_t>(index) < callsites.size()
             ? callsites[static_cast<size_t>(index)]
             : kNone;
}

uint32_t Writer::track_of(const Marker& marker) {
  const auto [at, added] = tracks_.try_emplace({marker.name, marker.category}, kNone);
  if (!added) return at->second;
  TrackName name;
  name.scope = TrackScope::Thread;
  name.overlap = Overlap::Spill;
  name.owner = of_.thread_name;
  name.type = sink_.string("firefox_marker");
  name.name = sink_.string(marker.name);
  sink_.open_args();
  for (const auto& [key, text] :
       {std::pair("category", marker.category), std::pair("name", marker.name)}) {
    const StringId id = sink_.string(key);
    sink_.arg(sink_.arg_key({id, id}), ArgType::String, sink_.string(text).row);
  }
  name.dimensions = sink_.close_args();
  return at->second = sink_.track(name);
}

std::optional<int64_t> time_at(const JsonValue& value, const ProfileFacts& facts) {
  const std::optional<double> ms = json_number(value);
  const std::optional<int64_t> ns = ms ? ns_of(*ms, kNsPerMs) : std::nullopt;
  int64_t sum = 0;
  if (!ns || __builtin_add_overflow(*ns, facts.offset_ns, &sum)) return std::nullopt;
  return sum;
}

// Profiles of before 2020 have one time for each marker, and the rest in its data.
void complete_old(const JsonValue& time, const ProfileFacts& facts, Marker& marker) {
  marker.start = marker.end = time_at(time, facts);
  const std::string_view interval = json_text(json_member(marker.data, "interval")).value_or("");
  if (interval == "start") marker.phase = kStart;
  if (interval == "end") marker.phase = kEnd;
  const auto start = time_at(json_member(marker.data, "startTime"), facts);
  const auto end = time_at(json_member(marker.data, "endTime"), facts);
  if (!interval.empty() || !start || !end) return;
  marker.phase = kInterval;
  marker.start = start;
  marker.end = end;
}

}  // namespace

void read_markers(const MarkersOf& of, EventSink& sink) {
  const Table table(json_member(of.thread, "markers"));
  const std::vector<int64_t> names = indexes(table.column("name"));
  const std::vector<int64_t> categories = indexes(table.column("category"));
  const std::vector<JsonValue> starts = table.column("startTime");
  const std::vector<JsonValue> ends = table.column("endTime");
  const std::vector<JsonValue> phases = table.column("phase");
  const std::vector<JsonValue> data = table.column("data");
  const bool is_old = !table.has("startTime") && table.has("time");
  const std::vector<JsonValue> times = table.column("time");
  Writer writer(of, sink);
  for (size_t row = 0; row < table.rows(); ++row) {
    if (table.is_bad(row) || names[row] == kNoIndex) {
      sink.tally(Stat::gecko_bad_row);
      continue;
    }
    Marker marker;
    marker.name = string_at(of.strings, names[row]);
    const auto category = static_cast<size_t>(categories[row]);
    if (categories[row] != kNoIndex && category < of.facts.categories.size())
      marker.category = of.facts.categories[category];
    marker.phase = json_integer(phases[row]).value_or(kInstant);
    marker.start = time_at(starts[row], of.facts);
    marker.end = time_at(ends[row], of.facts);
    marker.data = data[row];
    if (is_old) complete_old(times[row], of.facts, marker);
    writer.add(marker);
  }
  writer.finish();
}

}  // namespace tracebraid::gecko
