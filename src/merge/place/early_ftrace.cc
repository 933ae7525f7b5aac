#include "merge/place/early_ftrace.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "event/event_kind.h"
#include "event/sched_events.h"
#include "event/stats.h"
#include "event/stream_rank.h"

namespace tracebraid {
namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::min();

struct Limits {
  int64_t started = kNoLimit;     // events before it are dropped
  int64_t data_start = kNoLimit;  // events before it are only rows
};
using AllLimits = absl::flat_hash_map<std::pair<FileId, uint32_t>, Limits>;

uint32_t machine_of(const PlacedBatch& from, const Event& event) {
  return from.machines[from.clock_machines[event.clock]].row;
}

// Whether the file keeps events from before the recording: then the reader has counted
// ftrace_packet_before_tracing_start (spec proto 5.1, preserve_ftrace_buffer).
bool keeps_early(const EventBatch& batch) {
  return std::ranges::find(batch.stats, stats::ftrace_packet_before_tracing_start,
                           &StatCount::stat) != batch.stats.end();
}

AllLimits find_limits(const StringPool& strings, const std::vector<PlacedBatch>& batches) {
  const StringId started = strings.find("tracing_started_ns");
  const StringId data_start = strings.find("ftrace_latest_data_start_ns");
  AllLimits all;
  for (const PlacedBatch& from : batches) {
    for (const Event& event : from.batch.timed_metadata) {
      const bool is_start = started && event.name == started;
      if (!is_start && !(data_start && event.name == data_start)) continue;
      Limits& limits = all[{from.file, machine_of(from, event)}];
      if (is_start)
        limits.started = event.ts;
      else
        limits.data_start = std::max(limits.data_start, event.ts);
    }
  }
  for (const PlacedBatch& from : batches) {
    if (!keeps_early(from.batch)) continue;
    for (auto& [key, limits] : all)
      if (key.first == from.file) limits.started = kNoLimit;
  }
  return all;
}

// Whether the event is one that the kernel recorded, not a derived one.
bool is_recorded(const PlacedBatch& from, const Event& event) {
  switch (event.what()) {
    case EventKind::FtraceEvent:
    case EventKind::FtraceMeaning:
    case EventKind::FtraceRow:
    case EventKind::SchedSwitchCompact:
      return true;
    case EventKind::SchedWaking:
      return from.batch.wakings[event.extra].waker_tid == kNoId;
    default:
      return false;
  }
}

// Whether the event remains as a row. Switches have their rows without such an event.
bool stays_as_row(Event& event, StringId sched_switch) {
  const bool is_row =
      event.what() == EventKind::FtraceEvent || event.what() == EventKind::FtraceRow;
  if (!is_row || event.name == sched_switch) return false;
  event.kind = static_cast<uint32_t>(EventKind::FtraceRow);
  return true;
}

// Drops events of one stream, which may have several machines.
class EarlyEvents {
 public:
  EarlyEvents(PlacedBatch& from, const AllLimits& all, StringId sched_switch)
      : from_(from), all_(all), sched_switch_(sched_switch) {}

  void drop(std::vector<Event>& events) {
    const auto end = std::ranges::lower_bound(events, last_limit(), {}, &Event::ts);
    events.erase(std::remove_if(events.begin(), end, [&](Event& event) { return is_lost(event); }),
                 end);
  }
  void drop(std::vector<SchedRecord>& records) {
    const auto end = std::ranges::lower_bound(records, last_limit(), {}, &SchedRecord::ts);
    const auto is_early = [&](SchedRecord& record) {
      Event event = sched_event(from_.batch, record);
      if (!is_lost(event)) return false;
      if (is_before_start(event) || from_.batch.sched_facts[record.fact].is_waking) return true;
      record.fact = early_fact(record.fact);
      return false;
    };
    records.erase(std::remove_if(records.begin(), end, is_early), end);
  }

  void report(std::vector<StatBump>& bumps) const {
    for (const auto& [machine, count] : dropped_)
      bumps.push_back(
          {stats::ftrace_packet_before_tracing_start, MachineId{machine}, from_.file, -1, count});
  }

 private:
  int64_t last_limit() const {
    int64_t last = kNoLimit;
    for (const auto& [key, limits] : all_)
      if (key.first == from_.file) last = std::max({last, limits.started, limits.data_start});
    return last;
  }

  bool is_before_start(const Event& event) const {
    const auto limits = all_.find({from_.file, machine_of(from_, event)});
    return limits != all_.end() && event.ts < limits->second.started;
  }
  // Returns the fact of an equal switch that is only a row.
  uint32_t early_fact(uint32_t fact) {
    const auto [known, is_new] = early_facts_.try_emplace(fact);
    if (!is_new) return known->second;
    std::vector<SchedFact>& facts = from_.batch.sched_facts;
    SchedFact early = facts[fact];
    early.is_early = true;
    facts.push_back(early);
    return known->second = static_cast<uint32_t>(facts.size() - 1);
  }
  bool is_lost(Event& event) {
    const uint32_t machine = machine_of(from_, event);
    const auto limits = all_.find({from_.file, machine});
    if (limits == all_.end()) return false;
    if (event.ts < limits->second.started) {
      if (is_recorded(from_, event)) ++dropped_[machine];
      return true;
    }
    return event.ts < limits->second.data_start && !stays_as_row(event, sched_switch_);
  }

  PlacedBatch& from_;
  const AllLimits& all_;
  StringId sched_switch_;
  std::map<uint32_t, int64_t> dropped_;                  // by machine
  absl::flat_hash_map<uint32_t, uint32_t> early_facts_;  // by fact
};

}  // namespace

void drop_early_ftrace(const StringPool& strings, std::vector<PlacedBatch>& batches,
                       std::vector<StatBump>& bumps) {
  const AllLimits all = find_limits(strings, batches);
  if (all.empty()) return;
  const StringId sched_switch = strings.find("sched_switch");
  for (PlacedBatch& from : batches) {
    EarlyEvents early(from, all, sched_switch);
    for (Stream& stream : from.batch.streams)
      if (rank_of_segment(stream.rank) != 0)
        early.drop(stream.events);  // a stream of kernel events
    early.drop(from.batch.sched);
    early.report(bumps);
  }
}

}  // namespace tracebraid
