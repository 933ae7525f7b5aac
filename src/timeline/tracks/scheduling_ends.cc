#include "timeline/tracks/scheduling_ends.h"

#include <algorithm>
#include <limits>

namespace tracebraid::timeline {
namespace {

constexpr int64_t kUnknown = std::numeric_limits<int64_t>::min();
constexpr uint32_t kNoMachine = ~uint32_t{0};

// Raises the ends of machines to the times of their last rows. Reads the rows, which are in order
// of time, from behind, until each wanted machine was found.
template <class Table, class MachineOf>
void raise(const Table& table, MachineOf machine_of, const std::vector<bool>& wanted,
           std::vector<int64_t>& ends) {
  std::vector<bool> missing = wanted;
  auto left = std::ranges::count(missing, true);
  for (size_t row = table.rows(); row > 0 && left > 0; --row) {
    const uint32_t machine = machine_of(row - 1);
    if (machine >= missing.size() || !missing[machine]) continue;
    missing[machine] = false;
    --left;
    ends[machine] = std::max(ends[machine], int64_t{table.ts[row - 1]});
  }
}

}  // namespace

int64_t SchedulingEnds::of_machine(uint32_t machine) const {
  std::call_once(once_, [this] { find_all(); });
  return machine < ends_.size() && ends_[machine] != kUnknown ? ends_[machine] : store_.trace_end;
}

void SchedulingEnds::find_all() const {
  ends_.assign(store_.machines.rows(), kUnknown);
  std::vector<bool> with_cpus(ends_.size());
  for (uint32_t cpu = 0; cpu < store_.cpus.rows(); ++cpu)
    if (store_.cpus.machine_id[cpu] < with_cpus.size())
      with_cpus[store_.cpus.machine_id[cpu]] = true;
  const auto of_cpu = [this](uint32_t ucpu) {
    return ucpu < store_.cpus.rows() ? store_.cpus.machine_id[ucpu] : kNoMachine;
  };
  raise(store_.sched, [&](size_t row) { return of_cpu(store_.sched.ucpu[row]); }, with_cpus, ends_);
  raise(
      store_.ftrace_events, [&](size_t row) { return of_cpu(store_.ftrace_events.ucpu[row]); },
      with_cpus, ends_);
  raise(
      store_.thread_states,
      [&](size_t row) {
        const uint32_t utid = store_.thread_states.utid[row];
        return utid < store_.threads.rows() ? store_.threads.machine_id[utid] : kNoMachine;
      },
      with_cpus, ends_);
}

}  // namespace tracebraid::timeline
