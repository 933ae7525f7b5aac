// Tasks of kernels other than Linux (spec proto 6.1).
#include <absl/container/flat_hash_map.h>

#include "assemble/identity/cpus.h"
#include "assemble/kernel/by_machine.h"
#include "assemble/kernel/topics.h"
#include "assemble/stats.h"
#include "event/stats.h"
#include "kernel/generic_tasks.h"

namespace tracebraid {
namespace {

using namespace generic_task;

struct TaskStates {
  struct Running {
    uint32_t row = kNone;  // open row of sched
    uint32_t utid = kNone;
  };
  struct Hanging {  // a row whose end has no reason yet
    uint32_t row;
    int64_t end;
  };
  Remembered<Running> running;                     // by CPU
  absl::flat_hash_map<uint32_t, Hanging> hanging;  // by utid
};

// Returns none if the task cannot enter the state.
uint32_t thread_of(KernelEmitter& out, const KernelEvent& e, int64_t state) {
  const int64_t tid = e.i64("tid");
  const uint32_t known = out.known_thread(e, tid);
  if (state == kCreated && known != kNone) return kNone;
  if (state == kCreated) {
    const uint32_t utid = out.tasks().start_thread(e, tid);
    out.tasks().name_thread(utid, e.text_id("comm"), kThreadNameFromSched);
    return utid;
  }
  if (state != kDestroyed && known != kNone) {
    const std::string_view last = out.text(out.tasks().last_state(known));
    if (last == kNames[kDead] || (state == kRunning && last == kNames[kRunning])) return kNone;
  }
  const uint32_t utid = out.thread_of(e, tid);
  if (state != kDestroyed || known == kNone)
    out.tasks().name_thread(utid, e.text_id("comm"), kThreadNameFromSched);
  if (state == kDestroyed) out.tasks().end_thread(e, tid);
  return utid;
}

void change(KernelEmitter& out, const KernelEvent& e, uint32_t utid, StringId state,
            uint32_t ucpu) {
  if (out.tasks().last_start(utid) == e.ts()) out.count(stats::generic_task_state_invalid_order, e);
  out.tasks().enter_state(e, utid, state, ucpu);
}

void run(KernelEmitter& out, TaskStates& tasks, const KernelEvent& e, uint32_t utid) {
  TaskStates::Running& cpu = tasks.running[{e.machine, e.cpu()}];
  if (cpu.row != kNone) {
    out.tasks().end_sched(e, cpu.row);
    tasks.hanging[cpu.utid] = {cpu.row, e.ts()};
    change(out, e, cpu.utid, {}, kNone);
  }
  cpu = {out.tasks().begin_sched(e, utid, e.i32("prio")), utid};
  change(out, e, utid, out.id(kNames[kRunning]), ucpu_of(e.machine, e.cpu()));
}

void stop(KernelEmitter& out, TaskStates& tasks, const KernelEvent& e, uint32_t utid,
          StringId state) {
  TaskStates::Running& cpu = tasks.running[{e.machine, e.cpu()}];
  if (cpu.row != kNone && cpu.utid == utid) {
    out.tasks().end_sched(e, cpu.row);
    out.tasks().set_end_state(cpu.row, state);
    cpu = {};
    return change(out, e, utid, state, kNone);
  }
  const auto hanging = tasks.hanging.find(utid);
  if (hanging != tasks.hanging.end() && hanging->second.end == e.ts()) {
    out.tasks().set_end_state(hanging->second.row, state);
    out.tasks().explain_last(utid, state);
    tasks.hanging.erase(hanging);
    return;
  }
  change(out, e, utid, state, kNone);
}

void generic_kernel_task_state(KernelEmitter& out, TaskStates& tasks, const KernelEvent& e) {
  const int64_t state = e.i64("state");
  if (state < kCreated || state > kDestroyed) return out.count(stats::task_state_invalid, e);
  if (e.cpu() >= kCpusOfMachine) return;
  const uint32_t utid = thread_of(out, e, state);
  if (utid == kNone) return out.count(stats::generic_task_state_invalid_order, e);
  if (state == kRunning) return run(out, tasks, e, utid);
  stop(out, tasks, e, utid, out.id(kNames[static_cast<size_t>(state)]));
}

// A text states that a task exits: the task still has to be switched out, so only its end is noted.
void task_exit(KernelEmitter& out, const KernelEvent& e) {
  out.tasks().note_end(e, e.i64("pid"), e.flag("group_dead"));
}

// Main threads have a number of their own there, so a process is created without one.
void generic_kernel_process(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t parent = out.tasks().process(e, e.i64("ppid"));
  const uint32_t upid = out.tasks().process(e, e.i64("pid"));
  const std::string_view cmdline = e.text("cmdline");
  out.tasks().describe_process(upid, parent, out.id(cmdline.substr(0, cmdline.find(' '))),
                               e.text_id("cmdline"));
}

void generic_kernel_thread(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t upid = out.tasks().process(e, e.i64("pid"));
  const uint32_t utid = out.tasks().thread_in(e, e.i64("tid"), upid);
  out.tasks().name_thread(utid, e.text_id("comm"), kThreadNameFromTree);
  out.tasks().describe_thread(utid, e.flag("is_main_thread"), e.flag("is_idle"));
}

constexpr KernelHandler<TaskStates> kHandlers[] = {
    {"task_exit", task_exit},
    {"generic_kernel_task_state", generic_kernel_task_state},
    {"generic_kernel_process", generic_kernel_process},
    {"generic_kernel_thread", generic_kernel_thread},
};

}  // namespace

std::unique_ptr<KernelTopic> task_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
