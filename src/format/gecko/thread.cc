#include "format/gecko/thread.h"

#include <bit>
#include <charconv>

#include "format/gecko/frames.h"
#include "format/gecko/markers.h"
#include "format/profile.h"

namespace tracebraid::gecko {
namespace {

constexpr int64_t kFirstTextId = -1'000'000'001;
constexpr double kNsPerMs = 1e6;

// ns of the file's clock; nothing if the sum does not fit.
std::optional<int64_t> time_of(double ms, const ProfileFacts& facts) {
  const std::optional<int64_t> ns = ns_of(ms, kNsPerMs);
  int64_t sum = 0;
  if (!ns || __builtin_add_overflow(*ns, facts.offset_ns, &sum)) return std::nullopt;
  return sum;
}

// Times of the rows: `time`, or `timeDeltas` one after the other.
std::vector<std::optional<int64_t>> times_of(const Table& table, const ProfileFacts& facts) {
  const bool deltas = !table.has("time") && table.has("timeDeltas");
  std::vector<std::optional<int64_t>> times;
  double sum = 0;
  for (const JsonValue& value : table.column(deltas ? "timeDeltas" : "time")) {
    const std::optional<double> ms = json_number(value);
    if (ms) sum = deltas ? sum + *ms : *ms;
    times.push_back(ms ? time_of(sum, facts) : std::nullopt);
  }
  return times;
}

void read_samples(const JsonValue& thread, const ProfileFacts& facts,
                  const std::vector<uint32_t>& callsites, uint32_t of, EventSink& sink) {
  const Table table(json_member(thread, "samples"));
  const std::vector<std::optional<int64_t>> times = times_of(table, facts);
  const std::vector<int64_t> stacks = indexes(table.column("stack"));
  const std::vector<JsonValue> weights = table.column("weight");
  for (size_t row = 0; row < table.rows(); ++row) {
    if (table.is_bad(row) || !times[row]) {
      sink.tally(Stat::gecko_bad_row);
      continue;
    }
    ProfileSample sample;
    sample.ts = *times[row];
    sample.clock = facts.clock;
    sample.thread = of;
    sample.source = "gecko";
    sample.weight = json_number(weights[row]).value_or(1);
    if (stacks[row] != kNoIndex && static_cast<size_t>(stacks[row]) < callsites.size())
      sample.extra.callsite = callsites[static_cast<size_t>(stacks[row])];
    write_sample(sink, sample);
  }
}

}  // namespace

std::optional<int64_t> Ids::number(const JsonValue& value) {
  if (const std::optional<int64_t> whole = json_integer(value)) return whole;
  const std::optional<std::string_view> text = json_text(value);
  if (!text) return std::nullopt;
  int64_t number = 0;
  const char* const end = text->data() + text->size();
  if (const auto [stop, error] = std::from_chars(text->data(), end, number);
      error == std::errc() && stop == end && !text->empty())
    return number;
  const auto next = kFirstTextId - static_cast<int64_t>(numbers_.size());
  return numbers_.try_emplace(std::string(*text), next).first->second;
}

Owner read_thread(const JsonValue& thread, const ProfileFacts& facts, Ids& ids, EventSink& sink) {
  const std::optional<int64_t> pid = ids.number(json_member(thread, "pid"));
  const std::optional<int64_t> tid = ids.number(json_member(thread, "tid"));
  ProcessName process;
  process.pid = pid.value_or(0);
  ThreadName name;
  name.pid = process.pid;
  name.tid = tid.value_or(process.pid);
  const Owner owner{sink.process(process), sink.thread(name)};
  name_process(sink, owner.process, json_text(json_member(thread, "processName")).value_or(""));
  name_thread(sink, owner.thread, json_text(json_member(thread, "name")).value_or(""));
  sink.untimed(plain_event(EventKind::ThreadSeen, owner.thread, {}));

  const std::vector<JsonValue> strings = string_table(thread, facts);
  const std::vector<uint32_t> callsites = read_stacks(thread, facts, strings, sink);
  read_samples(thread, facts, callsites, owner.thread, sink);
  read_markers({thread, facts, strings, callsites, owner.thread}, sink);
  return owner;
}

void read_counter(const JsonValue& counter, const ProfileFacts& facts,
                  const std::vector<Owner>& owners, Ids& ids, EventSink& sink) {
  TrackName track;
  track.scope = TrackScope::Process;
  track.events = TrackEvents::Counter;
  track.type = sink.string("gecko_counter");
  track.name = sink.string(json_text(json_member(counter, "name")).value_or("counter"));
  if (const std::optional<int64_t> pid = ids.number(json_member(counter, "pid")))
    track.owner = sink.process({.pid = *pid});
  else if (!owners.empty())
    track.owner = owners.front().process;
  else
    track.scope = TrackScope::Global;
  sink.open_args();
  const StringId key = sink.string("category");
  if (const auto category = json_text(json_member(counter, "category")))
    sink.arg(sink.arg_key({key, key}), ArgType::String, sink.string(*category).row);
  track.dimensions = sink.close_args();
  const uint32_t index = sink.track(track);

  // As processed: `samples`; before that: groups of them.
  std::vector<JsonValue> groups = json_items(json_member(counter, "sample_groups"));
  for (JsonValue& group : groups) group = json_member(group, "samples");
  if (const JsonValue samples = json_member(counter, "samples")) groups.push_back(samples);
  for (const JsonValue& group : groups) {
    const Table table(group);
    const std::vector<std::optional<int64_t>> times = times_of(table, facts);
    const std::vector<JsonValue> counts = table.column("count");
    double sum = 0;  // counts are changes
    for (size_t row = 0; row < table.rows(); ++row) {
      const std::optional<double> change = json_number(counts[row]);
      if (!change || !times[row]) {
        sink.tally(Stat::gecko_bad_row);
        continue;
      }
      sum += *change;
      Event event = plain_event(EventKind::Counter, index, {}, *times[row], facts.clock);
      event.value = std::bit_cast<int64_t>(sum);
      sink.event(event);
    }
  }
}

}  // namespace tracebraid::gecko
