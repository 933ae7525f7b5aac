// Writes kernel data: scheduling from sched and thread_state, rows of ftrace_event, logs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "export/perfetto/clocks.h"
#include "export/perfetto/descriptors.h"

namespace tracebraid::perfetto {

// Collects events of CPUs in order of time and writes packets of events of one CPU. Keeps the order
// of events with equal times, also across CPUs.
class Bundles {
 public:
  Bundles(const Machines& machines, uint32_t own_mode, PacketFile& file)
      : machines_(machines), own_mode_(own_mode), file_(file) {}

  // Adds an FtraceEvent with this field and message.
  Result<> add(uint32_t ucpu, int64_t ts, int64_t tid, uint32_t flags, uint32_t number,
               const std::string& message);
  Result<> finish();

 private:
  static constexpr size_t kBundleBytes = size_t{32} << 10;
  void write(uint32_t ucpu, std::string& events);

  const Machines& machines_;
  uint32_t own_mode_;  // proto::own::Bundle
  PacketFile& file_;
  std::map<uint32_t, std::string> events_;  // fields of FtraceEventBundle, by ucpu
  int64_t last_ts_ = 0;
  uint32_t last_ucpu_ = 0;
};

// How scheduling is written.
struct SchedPlan {
  // By machine: as states of tasks, because switches do not lead to all of its thread states.
  std::vector<bool> has_tasks;
  // Rows of thread_state of other machines that no switch leads to.
  std::vector<uint32_t> loose;
};
SchedPlan plan_sched(const Store& store, const Selection& selection, const Machines& machines,
                     const Descriptors& descriptors, PacketFile& file);
// Returns by machine whether states of tasks can represent its scheduling.
std::vector<bool> machines_of_tasks(const Store& store);

// Writes switches, wakings and blocked reasons, from which readers rebuild sched, thread_state and
// spurious_sched_wakeup.
Result<> write_sched(const Store& store, const Selection& selection, const Machines& machines,
                     const Descriptors& descriptors, const SchedPlan& plan, PacketFile& file);
// Writes the rest of scheduling as states of tasks.
Result<> write_task_states(const Store& store, const Selection& selection, const Machines& machines,
                           const Descriptors& descriptors, const SchedPlan& plan, PacketFile& file);
// Writes rows of ftrace_event as generic events, from which readers derive nothing else.
Result<> write_kernel_rows(const Store& store, const Selection& selection, const Machines& machines,
                           const Descriptors& descriptors, PacketFile& file);
Result<> write_logs(const Store& store, const Machines& machines, const Descriptors& descriptors,
                    const Clocks& clocks, PacketFile& file);

}  // namespace tracebraid::perfetto
