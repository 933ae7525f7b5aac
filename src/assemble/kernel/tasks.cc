#include "assemble/kernel/tasks.h"

#include "assemble/identity/cpus.h"
#include "assemble/saturate.h"

namespace tracebraid {

void KernelTasks::note_end(const KernelEvent& e, int64_t tid, bool ends_process) {
  const uint32_t utid = identity_.known_thread(e.machine, tid);
  if (utid == kNone) return;
  store_.threads.end_ts.at(utid).value = e.ts();
  const uint32_t upid = store_.threads.upid[utid].row;
  if (upid == OptRow::kNull) return;
  const bool is_main = store_.processes.pid[upid] == tid;
  if (is_main || ends_process) store_.processes.end_ts.at(upid).value = e.ts();
}

void KernelTasks::describe_process(uint32_t upid, uint32_t parent, StringId name,
                                   StringId cmdline) {
  identity_.name_process(upid, name, kProcessNameFromSystem);
  ProcessTable& table = store_.processes;
  table.cmdline.at(upid) = cmdline;
  if (OptRow& known = table.parent_upid.at(upid); known.row == OptRow::kNull) known.row = parent;
}

void KernelTasks::describe_thread(uint32_t utid, bool is_main, bool is_idle) {
  store_.threads.is_main_thread.at(utid).value = is_main ? 1 : 0;
  store_.threads.is_idle.at(utid) = is_idle ? 1 : 0;
}

uint32_t KernelTasks::begin_sched(const KernelEvent& e, uint32_t utid, int32_t priority) {
  SchedTable& table = store_.sched;
  const auto row = static_cast<uint32_t>(table.ts.size());
  table.ts.append(e.ts());
  table.dur.append(-1);
  table.utid.append(utid);
  table.end_state.append({});
  table.priority.append(priority);
  table.ucpu.append(ucpu_of(e.machine, e.cpu()));
  return row;
}

void KernelTasks::end_sched(const KernelEvent& e, uint32_t row) {
  store_.sched.dur.at(row) = duration_between(store_.sched.ts[row], e.ts());
}

}  // namespace tracebraid
