#include "format/gecko/markers.h"

#include <absl/container/flat_hash_map.h>

#include <string>
#include <utility>

#include "event/emit.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/json_args.h"
#include "format/common/profile.h"
#include "format/gecko/frames.h"
#include "format/gecko/stats.h"

namespace tracebraid::gecko {
namespace {

enum Phase : int64_t { kInstant = 0, kInterval = 1, kStart = 2, kEnd = 3 };

struct Marker {
  Row row = {};
  StringId name, category;
  int64_t phase = kInstant;
  std::optional<int64_t> start, end;  // ns
  json::Value data;
};

class Writer {
 public:
  Writer(const MarkersOf& of, EventSink& sink) : of_(of), sink_(sink) {}

  void add(const Marker& marker);
  // Starts without an end stay open.
  void finish();

 private:
  void write(const Marker& marker, std::optional<int64_t> end, const json::Value& end_data);
  uint32_t track_of(const Marker& marker);
  void add_data(const Marker& marker, const json::Value& data);
  uint32_t stack_of(const json::Value& data);

  const MarkersOf& of_;
  EventSink& sink_;
  simdjson::dom::parser parser_;
  // Open markers by name, innermost last.
  absl::flat_hash_map<StringId, std::vector<Marker>> open_;
  std::vector<StringId> opened_;
  absl::flat_hash_map<std::pair<StringId, StringId>, uint32_t> tracks_;  // name, category
};

void Writer::add(const Marker& marker) {
  switch (marker.phase) {
    case kInstant:
      if (marker.start) return write(marker, marker.start, {});
      break;
    case kInterval:
      if (marker.start && marker.end) return write(marker, marker.end, {});
      break;
    case kStart: {
      if (!marker.start) break;
      const auto [open, is_new] = open_.try_emplace(marker.name);
      if (is_new) opened_.push_back(marker.name);
      return open->second.push_back(marker);
    }
    case kEnd: {
      if (!marker.end) break;
      const auto open = open_.find(marker.name);
      if (open == open_.end() || open->second.empty())
        return count_json(sink_, stats::gecko_marker_end_without_start, *of_.facts.file,
                          marker.row.at);
      const Marker start = open->second.back();
      open->second.pop_back();
      return write(start, marker.end, marker.data);
    }
    default:
      break;
  }
  count_bad_row(marker.row, of_.facts, sink_);
}

void Writer::finish() {
  for (const StringId name : opened_)
    for (const Marker& start : open_[name]) write(start, std::nullopt, {});
}

void Writer::write(const Marker& marker, std::optional<int64_t> end, const json::Value& end_data) {
  int64_t dur = 0;
  if (end && __builtin_sub_overflow(*end, *marker.start, &dur))
    return count_bad_row(marker.row, of_.facts, sink_);
  const uint32_t track = track_of(marker);
  EventParts parts{.name = marker.name, .category = marker.category};
  sink_.open_args();
  add_data(marker, marker.data);
  add_data(marker, end_data);
  parts.args = sink_.close_args();
  if (const uint32_t callsite = stack_of(marker.data); callsite != kNone) {
    EventBatch& batch = sink_.batch();
    batch.stacks.slice_stacks.push_back({callsite, kNone});
    SliceExtra extra;
    extra.stack = static_cast<uint32_t>(batch.stacks.slice_stacks.size() - 1);
    parts.extra = append_record(batch.slice_extras, extra);
  }
  const EventTime start{*marker.start, kFileClock};
  sink_.event(end ? make_slice(start, track, dur, parts) : make_slice_begin(start, track, parts));
}

void Writer::add_data(const Marker& marker, const json::Value& data) {
  if (!data.has(json::Kind::Object)) return;
  simdjson::dom::object members;
  if (parser_.parse(data.raw.data(), data.raw.size()).get(members) != simdjson::SUCCESS)
    return count_bad_reference(marker.row, of_.facts, sink_);
  for (const auto& [key, value] : members) {
    const bool is_cause = (key == "stack" || key == "cause") && value.is_object();
    if (!is_cause) add_json_arg(sink_, "data", key, value);
  }
}

// Returns the callstack of the cause of a marker, which is a profile with one sample.
uint32_t Writer::stack_of(const json::Value& data) {
  // Most markers have none.
  if (data.raw.find("\"stack\"") == std::string_view::npos &&
      data.raw.find("\"cause\"") == std::string_view::npos)
    return kNone;
  const JsonFields fields(data);
  const json::Value& stack = fields["stack"];
  const JsonFields cause(stack.kind != json::Kind::Absent ? stack : fields["cause"]);
  int64_t index = index_in(cause["stack"]);
  bool is_first = true;
  if (const json::Value& samples = cause["samples"]; samples.is_given())
    Table(samples).for_each_row<1>({"stack"}, nullptr, [&](const Row&, const auto& values) {
      if (std::exchange(is_first, false)) index = index_in(values[0]);
    });
  const auto at = static_cast<uint64_t>(index);
  return at < of_.callsites.size() ? of_.callsites[at] : kNone;
}

uint32_t Writer::track_of(const Marker& marker) {
  const auto [at, added] = tracks_.try_emplace({marker.name, marker.category}, kNone);
  if (!added) return at->second;
  TrackName name;
  name.scope = TrackScope::Thread;
  name.overlap = Overlap::Spill;
  name.owner = of_.thread_name;
  name.type = sink_.string("firefox_marker");
  name.name = marker.name;
  sink_.open_args();
  for (const auto& [key, text] :
       {std::pair("category", marker.category), std::pair("name", marker.name)}) {
    const StringId id = sink_.string(key);
    sink_.arg(sink_.arg_key({id, id}), ArgType::String, text.row);
  }
  name.dimensions = sink_.close_args();
  return at->second = sink_.track(name);
}

// Completes a marker of profiles before 2020, which have one time per marker and the rest in its
// data.
void complete_old(const json::Value& time, const ProfileFacts& facts, Marker& marker) {
  marker.start = marker.end = time_of(time, facts);
  const JsonFields data(marker.data);
  const std::string interval = scanned_text(data["interval"]);
  if (interval == "start") marker.phase = kStart;
  if (interval == "end") marker.phase = kEnd;
  const auto start = time_of(data["startTime"], facts);
  const auto end = time_of(data["endTime"], facts);
  if (!interval.empty() || !start || !end) return;
  marker.phase = kInterval;
  marker.start = start;
  marker.end = end;
}

}  // namespace

void read_markers(const MarkersOf& of, EventSink& sink) {
  const Table table(of.thread["markers"]);
  const bool is_old = !table.has("startTime") && table.has("time");
  Writer writer(of, sink);
  table.for_each_row<7>(
      {"name", "category", "startTime", "endTime", "phase", "data", "time"}, of.facts.input,
      [&](const Row& row, const auto& values) {
        const int64_t name = index_in(values[0]);
        if (row.is_bad || !of.strings.has(name)) return count_bad_row(row, of.facts, sink);
        Marker marker{.row = row};
        marker.name = of.strings.id(name);
        const auto category = static_cast<uint64_t>(index_in(values[1]));
        marker.category =
            sink.string(category < of.facts.categories.size() ? of.facts.categories[category] : "");
        marker.phase = scanned_integer(values[4]).value_or(kInstant);
        marker.start = time_of(values[2], of.facts);
        marker.end = time_of(values[3], of.facts);
        marker.data = values[5];
        if (is_old) complete_old(values[6], of.facts, marker);
        writer.add(marker);
      });
  writer.finish();
}

}  // namespace tracebraid::gecko
