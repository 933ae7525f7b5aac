#include "format/json/trace_event/counters.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/json/stats.h"
#include "format/json/trace_event/identified.h"
#include "format/json/trace_event/ids.h"
#include "format/json/trace_event/slice_extra.h"
#include "json/member_scan.h"

namespace tracebraid::json {
namespace {

struct Sample {
  StringId series;
  std::optional<double> value;
};

std::optional<double> number_of(const Value& value) {
  if (value.has(Kind::Number)) return to_double(value.number, value.raw);
  if (!value.has(Kind::String)) return std::nullopt;
  std::string scratch;
  const std::string_view text = text_of(value, scratch);
  Number number;
  const char* const end = text.data() + text.size();
  if (text.empty() || scan_number(text.data(), end, number) != end) return std::nullopt;
  if (!number.is_finite()) return std::nullopt;
  return to_double(number, text);
}

// The samples of one event, in order; of equal series the last applies.
class Samples {
 public:
  void add(StringId series, const Value& value) {
    const auto [at, is_new] = indexes_.try_emplace(series, all_.size());
    if (is_new) all_.push_back({series, {}});
    all_[at->second].value = number_of(value);
  }
  const std::vector<Sample>& all() const { return all_; }

 private:
  std::vector<Sample> all_;
  absl::flat_hash_map<StringId, size_t> indexes_;
};

// Reads the members of `args`, which were parsed without error before.
void read_members(Chunk& chunk, std::string_view args, Samples& samples) {
  MemberScan members(args);
  while (members.next()) {
    const Value value = members.value();
    if (value.has(Kind::Absent)) return;
    samples.add(chunk.sink.string(text_of(members.key(), chunk.scratch)), value);
  }
}

// Returns the id that is part of a counter's name; none for an empty id.
StringId counter_id(Chunk& chunk, const Members& members) {
  if (!members.has(Field::Id) && !members.has(Field::Id2)) return {};
  const std::optional<EventId> id = id_of(members, false);
  if (!id || id->id.spelling.empty()) return {};
  return chunk.sink.string(id->id.spelling);
}

// Returns kNone if the name, composed of shared parts, would take too much memory.
uint32_t counter_track(Chunk& chunk, const Members& members, const CounterTrack& wanted) {
  const Chunk::CounterKey key{wanted.pid, wanted.name.row, wanted.id.row, wanted.series.row};
  const auto [at, added] = chunk.counter_tracks.try_emplace(key, kNone);
  if (!added) return at->second;
  const StringPool& strings = chunk.sink.batch().strings;
  const std::string_view base = wanted.name ? strings.get(wanted.name) : "";
  const std::string_view series = strings.get(wanted.series);
  const size_t bytes =
      base.size() + series.size() + (wanted.id ? strings.get(wanted.id).size() : 0);
  if (bytes > chunk.counter_name_room) return kNone;
  chunk.counter_name_room -= bytes;
  TrackName name;
  name.scope = TrackScope::Process;
  name.events = TrackEvents::Counter;
  name.owner = chunk.threads.process(wanted.pid);
  name.type = chunk.sink.string("json_counter");
  name.name = chunk.sink.string(
      wanted.id ? fmt::format("{} id: {} {}", base, strings.get(wanted.id), series)
                : fmt::format("{} {}", base, series));
  chunk.sink.open_args();
  chunk.args.add_text("name", strings.get(name.name));
  name.dimensions = chunk.sink.close_args();
  at->second = chunk.sink.track(name);

  CounterTrack& track = chunk.facts.counters.emplace_back(wanted);
  track.track = at->second;
  track.category = category_of(chunk, members);
  track.colour = colour_of(chunk, members);
  return at->second;
}

}  // namespace

void write_counter(Chunk& chunk, const Members& members, int64_t ts) {
  const Value& args = members[Field::Args];
  Samples samples;
  if (args.has(Kind::Object)) read_members(chunk, args.raw, samples);
  const bool any_value = std::ranges::any_of(
      samples.all(), [](const Sample& sample) { return sample.value.has_value(); });
  if (samples.all().empty()) return note_failure(chunk, members, stats::json_event_incomplete);
  if (!any_value) chunk.sink.count(stats::json_event_incomplete, members.at, members.text);

  CounterTrack wanted{};
  const Who who = chunk.threads.who(members);
  // The main thread is created with the process.
  if (who.tid != who.pid) note_thread(chunk, who, ts);
  wanted.pid = who.pid;
  wanted.name = name_of(chunk, members);
  wanted.id = counter_id(chunk, members);
  for (const Sample& sample : samples.all()) {
    if (!sample.value) {
      note_failure(chunk, members, stats::json_counter_value_invalid);
      continue;
    }
    wanted.series = sample.series;
    const uint32_t track = counter_track(chunk, members, wanted);
    if (track == kNone) {
      note_failure(chunk, members, stats::json_counter_value_invalid);
      continue;
    }
    chunk.sink.event(make_counter(chunk.at(ts), track, *sample.value));
  }
}

}  // namespace tracebraid::json
