#include "assemble/rows/source_clocks.h"

#include <set>
#include <string_view>
#include <tuple>

#include "event/event_kind.h"

namespace tracebraid {
namespace {

constexpr uint64_t bit(EventKind kind) { return uint64_t{1} << static_cast<unsigned>(kind); }
static_assert(static_cast<unsigned>(EventKind::MemoryDump) < 64, "kinds are bits");

struct Source {
  std::string_view table;
  uint64_t kinds;
};

constexpr uint64_t kSwitches = bit(EventKind::SchedSwitch) | bit(EventKind::SchedSwitchCompact);
constexpr uint64_t kWakings = bit(EventKind::SchedWaking) | bit(EventKind::SchedWakingCompact);
constexpr Source kSources[] = {
    {"sched", kSwitches},
    {"thread_state",
     kSwitches | kWakings | bit(EventKind::SchedBlocked) | bit(EventKind::ThreadState)},
    {"ftrace_event", bit(EventKind::FtraceEvent) | bit(EventKind::FtraceRow) |
                         bit(EventKind::SchedSwitchCompact) | bit(EventKind::SchedWakingCompact)},
    {"logs", bit(EventKind::Log)},
    {"samples", bit(EventKind::Sample)},
};

EventKind kind_of(const SchedFact& fact) {
  if (fact.is_early) return EventKind::FtraceRow;
  return fact.is_waking ? EventKind::SchedWakingCompact : EventKind::SchedSwitchCompact;
}

}  // namespace

SourceClocks::SourceClocks(std::span<const PlacedBatch> batches) {
  firsts_.reserve(batches.size() + 1);
  for (const PlacedBatch& from : batches) {
    firsts_.push_back(kinds_.size());
    kinds_.resize(kinds_.size() + from.clock_rows.size());
    if (from.batch.sched.empty()) continue;
    for (const SchedFact& fact : from.batch.sched_facts)
      if (fact.clock < from.clock_rows.size())
        kinds_[firsts_.back() + fact.clock] |= bit(kind_of(fact));
  }
  firsts_.push_back(kinds_.size());
}

void SourceClocks::fill(std::span<const PlacedBatch> batches, Store& store) const {
  std::set<std::tuple<size_t, uint32_t, uint32_t, uint32_t>> rows;  // source, file, machine, clock
  for (size_t b = 0; b < batches.size(); ++b) {
    const PlacedBatch& from = batches[b];
    for (size_t clock = 0; firsts_[b] + clock < firsts_[b + 1]; ++clock)
      for (size_t source = 0; source < std::size(kSources); ++source)
        if ((kinds_[firsts_[b] + clock] & kSources[source].kinds) != 0)
          rows.emplace(source, from.file.row, from.machines[from.clock_machines[clock]].row,
                       from.clock_rows[clock]);
  }
  SourceClockTable& table = store.source_clocks;
  for (const auto& [source, file, machine, clock] : rows) {
    table.table_name.append(store.strings.intern(kSources[source].table));
    table.trace_id.append({file});
    table.machine_id.append(machine);
    table.clock_id.append({clock});
  }
}

}  // namespace tracebraid
