#include "format/gecko/thread.h"

#include <bit>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/profile.h"
#include "format/gecko/frames.h"
#include "format/gecko/markers.h"

namespace tracebraid::gecko {
namespace {

// Times of rows: `time`, or accumulated `timeDeltas`.
class Times {
 public:
  Times(const Table& table, const ProfileFacts& facts)
      : facts_(facts), are_deltas_(!table.has("time") && table.has("timeDeltas")) {}

  std::string_view column() const { return are_deltas_ ? "timeDeltas" : "time"; }
  std::optional<int64_t> next(const json::Value& value) {
    const std::optional<double> ms = scanned_number(value);
    if (!ms) return std::nullopt;
    last_ = are_deltas_ ? last_ + *ms : *ms;
    return time_at(last_, facts_);
  }

 private:
  const ProfileFacts& facts_;
  bool are_deltas_;
  double last_ = 0;
};

void read_samples(const JsonFields& thread, const ProfileFacts& facts,
                  const std::vector<uint32_t>& callsites, uint32_t of, EventSink& sink) {
  const Table table(thread["samples"]);
  Times times(table, facts);
  SampleWriter writer(sink, "gecko", kFileClock, of);
  table.for_each_row<3>({times.column(), "stack", "weight"}, facts.input,
                        [&](const Row& row, const auto& values) {
                          const std::optional<int64_t> ts = times.next(values[0]);
                          if (row.is_bad || !ts) return count_bad_row(row, facts, sink);
                          const auto stack = static_cast<uint64_t>(index_in(values[1]));
                          const bool is_known = stack < callsites.size();
                          // Keeps the sample and counts the missing stack.
                          if (!is_known && values[1].is_given() && scanned_integer(values[1]) != -1)
                            count_bad_reference(row, facts, sink);
                          writer.write(*ts, is_known ? callsites[stack] : kNone,
                                       scanned_number(values[2]).value_or(1));
                        });
}

uint32_t counter_track(const JsonFields& counter, const std::vector<Owner>& owners, Ids& ids,
                       EventSink& sink) {
  TrackName track;
  track.scope = TrackScope::Process;
  track.events = TrackEvents::Counter;
  track.type = sink.string("gecko_counter");
  const json::Value& name = counter["name"];
  track.name = sink.string(name.has(json::Kind::String) ? scanned_text(name) : "counter");
  if (const std::optional<int64_t> pid = ids.number(counter["pid"]))
    track.owner = sink.process({.pid = *pid});
  else if (!owners.empty() && owners.front().pid != kNoId)
    track.owner = sink.process({.pid = owners.front().pid});
  else
    track.scope = TrackScope::Global;
  sink.open_args();
  const StringId key = sink.string("category");
  if (const json::Value& category = counter["category"]; category.has(json::Kind::String))
    sink.arg(sink.arg_key({key, key}), ArgType::String, sink.string(scanned_text(category)).row);
  track.dimensions = sink.close_args();
  return sink.track(track);
}

void read_counts(const Table& table, const ProfileFacts& facts, uint32_t track, EventSink& sink) {
  Times times(table, facts);
  double sum = 0;  // counts are differences
  table.for_each_row<2>({times.column(), "count"}, facts.input,
                        [&](const Row& row, const auto& values) {
                          const std::optional<int64_t> ts = times.next(values[0]);
                          const std::optional<double> change = scanned_number(values[1]);
                          if (!change || !ts) return count_bad_row(row, facts, sink);
                          sum += *change;
                          sink.event(make_counter({*ts, kFileClock}, track, sum));
                        });
}

}  // namespace

void read_thread(const JsonFields& thread, const Owner& owner, const ProfileFacts& facts,
                 EventSink& sink) {
  const uint32_t name = sink.thread({.tid = owner.tid, .pid = owner.pid});
  const auto name_or = [&](std::string_view key, const std::string& text) {
    const std::string given = scanned_text(thread[key]);
    return given.empty() ? text : given;
  };
  if (owner.pid != kNoId)
    name_process(sink, sink.process({.pid = owner.pid}), name_or("processName", owner.pid_text));
  name_thread(sink, name, name_or("name", owner.tid_text));
  sink.untimed(make_thread_seen({}, name));

  Strings strings(thread, facts, sink);
  const std::vector<uint32_t> callsites = read_stacks(thread, facts, strings, sink);
  read_samples(thread, facts, callsites, name, sink);
  read_markers({thread, facts, strings, callsites, name}, sink);
}

void read_counter(const JsonFields& counter, const ProfileFacts& facts,
                  const std::vector<Owner>& owners, Ids& ids, EventSink& sink) {
  const uint32_t track = counter_track(counter, owners, ids, sink);
  // Processed profiles have `samples`; older ones have groups of them.
  JsonScan groups(counter["sample_groups"].raw);
  if (groups.enter('['))
    while (groups.next_item())
      read_counts(Table(JsonFields(groups.take())["samples"]), facts, track, sink);
  if (const json::Value& samples = counter["samples"]; samples.is_given())
    read_counts(Table(samples), facts, track, sink);
}

}  // namespace tracebraid::gecko
