// Tasks of kernels other than Linux (spec proto 6.1).
#include <array>

#include "assemble/kernel/kernel.h"
#include "assemble/kernel/state.h"
#include "assemble/saturate.h"

namespace tracebraid {
namespace {

enum State : int64_t { kCreated = 1, kRunning = 3, kDestroyed = 8 };
constexpr std::array<std::string_view, 9> kNames{"",  "Created", "R", "Running", "S",
                                                 "D", "T",       "Z", "X"};
constexpr std::string_view kDead = "Z";

// None if the task cannot enter the state.
uint32_t thread_of(Kernel& k, const KernelEvent& e, int64_t state) {
  const int64_t tid = e.i64("tid");
  const uint32_t known = k.identity.known_thread(e.machine, tid);
  if (state == kCreated && known != kNone) return kNone;
  if (state == kCreated) {
    const uint32_t utid = k.identity.start_thread(e.machine, tid, e.ts());
    k.identity.name_thread(utid, e.text_id("comm"), kThreadNameFromSched);
    return utid;
  }
  if (state != kDestroyed && known != kNone) {
    const std::string_view last = k.text(k.thread_states.last_state(known));
    if (last == kDead || (state == kRunning && last == kNames[kRunning])) return kNone;
  }
  const uint32_t utid = k.identity.thread_of(e.machine, tid);
  if (state != kDestroyed || known == kNone)
    k.identity.name_thread(utid, e.text_id("comm"), kThreadNameFromSched);
  if (state == kDestroyed) k.identity.end_thread(e.machine, tid, e.ts());
  return utid;
}

void change(Kernel& k, const KernelEvent& e, uint32_t utid, StringId state, uint32_t ucpu) {
  if (k.thread_states.last_start(utid) == e.ts())
    k.count(stats::generic_task_state_invalid_order, e);
  k.thread_states.change(utid, e.ts(), state, ucpu);
}

void close(Kernel& k, const KernelEvent& e, uint32_t row) {
  k.store.sched.dur.at(row) = duration_between(k.store.sched.ts[row], e.ts());
}

void run(Kernel& k, const KernelEvent& e, uint32_t utid) {
  TaskStates& tasks = k.state().tasks;
  TaskStates::Running& cpu = tasks.running[{e.machine, e.cpu()}];
  if (cpu.row != kNone) {
    close(k, e, cpu.row);
    tasks.hanging[cpu.utid] = {cpu.row, e.ts()};
    change(k, e, cpu.utid, {}, kNone);
  }
  const uint32_t ucpu = ucpu_of(e.machine, e.cpu());
  SchedTable& table = k.store.sched;
  cpu = {static_cast<uint32_t>(table.ts.size()), utid};
  table.ts.append(e.ts());
  table.dur.append(-1);
  table.utid.append(utid);
  table.end_state.append({});
  table.priority.append(e.i32("prio"));
  table.ucpu.append(ucpu);
  change(k, e, utid, k.id(kNames[kRunning]), ucpu);
}

void stop(Kernel& k, const KernelEvent& e, uint32_t utid, StringId state) {
  TaskStates& tasks = k.state().tasks;
  TaskStates::Running& cpu = tasks.running[{e.machine, e.cpu()}];
  if (cpu.row != kNone && cpu.utid == utid) {
    close(k, e, cpu.row);
    k.store.sched.end_state.at(cpu.row) = state;
    cpu = {};
    return change(k, e, utid, state, kNone);
  }
  const auto hanging = tasks.hanging.find(utid);
  if (hanging != tasks.hanging.end() && hanging->second.end == e.ts()) {
    k.store.sched.end_state.at(hanging->second.row) = state;
    k.thread_states.explain_last(utid, state);
    tasks.hanging.erase(hanging);
    return;
  }
  change(k, e, utid, state, kNone);
}

void generic_kernel_task_state(Kernel& k, const KernelEvent& e) {
  const int64_t state = e.i64("state");
  if (state < kCreated || state > kDestroyed) return k.count(stats::task_state_invalid, e);
  if (e.cpu() >= kCpusOfMachine) return;
  const uint32_t utid = thread_of(k, e, state);
  if (utid == kNone) return k.count(stats::generic_task_state_invalid_order, e);
  if (state == kRunning) return run(k, e, utid);
  stop(k, e, utid, k.id(kNames[static_cast<size_t>(state)]));
}

// A task of a text says that it exits: it still has to be switched out, so only its end is noted.
void task_exit(Kernel& k, const KernelEvent& e) {
  const uint32_t utid = k.identity.known_thread(e.machine, e.i64("pid"));
  if (utid == kNone) return;
  k.store.threads.end_ts.at(utid).value = e.ts();
  const uint32_t upid = k.store.threads.upid[utid].row;
  if (upid == OptRow::kNull) return;
  const bool is_main = k.store.processes.pid[upid] == e.i64("pid");
  if (is_main || e.flag("group_dead")) k.store.processes.end_ts.at(upid).value = e.ts();
}

// Main threads have a number of their own there: a process comes without one.
void generic_kernel_process(Kernel& k, const KernelEvent& e) {
  const uint32_t parent = k.identity.bare_process_of(e.machine, e.i64("ppid"));
  const uint32_t upid = k.identity.bare_process_of(e.machine, e.i64("pid"));
  const std::string_view cmdline = e.text("cmdline");
  k.identity.name_process(upid, k.id(cmdline.substr(0, cmdline.find(' '))), kProcessNameFromSystem);
  ProcessTable& table = k.store.processes;
  table.cmdline.at(upid) = e.text_id("cmdline");
  if (OptRow& known = table.parent_upid.at(upid); known.row == OptRow::kNull) known.row = parent;
}

void generic_kernel_thread(Kernel& k, const KernelEvent& e) {
  const uint32_t upid = k.identity.bare_process_of(e.machine, e.i64("pid"));
  const uint32_t utid = k.identity.thread_in(e.machine, e.i64("tid"), upid);
  k.identity.name_thread(utid, e.text_id("comm"), kThreadNameFromTree);
  k.store.threads.is_main_thread.at(utid).value = e.flag("is_main_thread") ? 1 : 0;
  k.store.threads.is_idle.at(utid) = e.flag("is_idle") ? 1 : 0;
}

constexpr KernelHandler kHandlers[] = {
    {"task_exit", task_exit},
    {"generic_kernel_task_state", generic_kernel_task_state},
    {"generic_kernel_process", generic_kernel_process},
    {"generic_kernel_thread", generic_kernel_thread},
};

}  // namespace

KernelHandlers task_handlers() { return kHandlers; }

}  // namespace tracebraid
