// KernelTasks: lives and states of threads, and rows of sched, for kernels other than Linux and for
// texts (spec proto 6.1). These give the state that a task enters, not the next task on a CPU. All
// functions apply at the time of the event.
#pragma once

#include "assemble/identity/identity.h"
#include "assemble/kernel/event.h"
#include "assemble/scheduling/thread_states.h"
#include "tables/store.h"

namespace tracebraid {

class KernelTasks {
 public:
  KernelTasks(Identity& identity, ThreadStates& states, Store& store)
      : identity_(identity), states_(states), store_(store) {}

  // Lives. From its start or end on, a number belongs to another thread.
  uint32_t start_thread(const KernelEvent& e, int64_t tid) {
    return identity_.start_thread(e.machine, tid, e.ts());
  }
  void end_thread(const KernelEvent& e, int64_t tid) {
    identity_.end_thread(e.machine, tid, e.ts());
  }
  // Ends the thread; the number still belongs to it. Ends its process, too, if `ends_process` or if
  // the thread is the main thread. Does nothing without such a thread.
  void note_end(const KernelEvent& e, int64_t tid, bool ends_process);
  void name_thread(uint32_t utid, StringId name, int64_t priority) {
    identity_.name_thread(utid, name, priority);
  }
  // Returns the process of a number that is not a thread's; creates it when needed.
  uint32_t process(const KernelEvent& e, int64_t pid) {
    return identity_.bare_process_of(e.machine, pid);
  }
  // Ignores `parent` if one is known.
  void describe_process(uint32_t upid, uint32_t parent, StringId name, StringId cmdline);
  void describe_thread(uint32_t utid, bool is_main, bool is_idle);
  uint32_t thread_in(const KernelEvent& e, int64_t tid, uint32_t upid) {
    return identity_.thread_in(e.machine, tid, upid);
  }

  // Rows of thread_state. `ucpu` is kNone for a thread that does not run.
  void enter_state(const KernelEvent& e, uint32_t utid, StringId state, uint32_t ucpu) {
    states_.change(utid, e.ts(), state, ucpu);
  }
  StringId last_state(uint32_t utid) { return states_.last_state(utid); }  // none without a state
  int64_t last_start(uint32_t utid) { return states_.last_start(utid); }   // kUnset without a state
  // Sets the name of the last state, which had none.
  void explain_last(uint32_t utid, StringId state) { states_.explain_last(utid, state); }

  // Rows of sched. Opens one and returns it.
  uint32_t begin_sched(const KernelEvent& e, uint32_t utid, int32_t priority);
  void end_sched(const KernelEvent& e, uint32_t row);
  void set_end_state(uint32_t row, StringId state) { store_.sched.end_state.at(row) = state; }

 private:
  Identity& identity_;
  ThreadStates& states_;
  Store& store_;
};

}  // namespace tracebraid
