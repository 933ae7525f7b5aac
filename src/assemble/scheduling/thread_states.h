// ThreadStates: rows of thread_state and of spurious wake-ups (spec proto 5.3).
#pragma once

#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/identity/cpus.h"
#include "assemble/placed_batch.h"
#include "assemble/queue/task_queue.h"
#include "tables/store.h"

namespace tracebraid {

struct Waking {
  uint32_t waker_utid = kNone;
  uint8_t irq_context = 2;  // 0, 1, or 2: not known
  bool may_repeat = false;  // ignored if the thread is awake
};

// The table. Changed by one thread, in order of time.
class ThreadStateRows {
 public:
  explicit ThreadStateRows(Store& store);

  void leave(uint32_t utid, int64_t ts, StringId state);
  void enter(uint32_t utid, int64_t ts, uint32_t ucpu);
  void wake(uint32_t utid, int64_t ts, const Waking& waking, bool waker_is_task);
  void start(uint32_t utid, int64_t ts, const Waking& waking, bool waker_is_task);
  void change(uint32_t utid, int64_t ts, StringId state, uint32_t ucpu);
  StringId last_state(uint32_t utid) { return thread(utid).state; }
  int64_t last_start(uint32_t utid) { return thread(utid).since; }
  void explain_last(uint32_t utid, StringId state);
  void explain(uint32_t utid, StringId function, uint32_t io_wait);
  // Adds a row that scheduler events do not continue, and returns it.
  uint32_t add_row(uint32_t utid, int64_t ts, int64_t dur, StringId state);
  void set_reason(uint32_t row, StringId function, OptRow io_wait);
  void set_cpu(uint32_t row, uint32_t ucpu) { table_.ucpu.at(row) = OptRow{ucpu}; }
  // Fills up all columns to the number of rows.
  void finish();

 private:
  struct Thread {
    uint32_t last = kNone;     // row
    uint32_t blocked = kNone;  // last row of a blocked thread since it ran
    // Copies of the last row, to avoid cache misses in the table.
    int64_t since = kUnset;
    StringId state;
    bool is_open = false;
  };
  struct State {  // the state of a row from its begin
    StringId state;
    OptRow waker_utid, waker_id, irq_context, ucpu;
  };

  // The reference is valid until the next call.
  Thread& thread(uint32_t utid);
  uint32_t open(Thread& thread, uint32_t utid, int64_t ts, const State& entered);
  void close(Thread& thread, int64_t ts);
  void add_spurious(uint32_t utid, uint32_t row, int64_t ts, const Waking& waking);

  ThreadStateTable& table_;
  SpuriousWakeupTable& wakeups_;
  std::vector<Thread> threads_;  // by utid
  StringId running_, runnable_;
};

// The interface for the assembling thread. Most changes are queued as tasks for any thread.
class ThreadStates {
 public:
  ThreadStates(TaskQueues& queues, DeferredArgs& args, Cpus& cpus, Store& store);

  // One thread leaves the CPU, the other runs on it. Without a state the reason is not known.
  void switch_to(uint32_t prev_utid, uint32_t next_utid, int64_t ts, StringId state, uint32_t ucpu);
  void wake(uint32_t utid, int64_t ts, const Waking& waking);
  // A new thread is runnable.
  void start(uint32_t utid, int64_t ts, const Waking& waking);
  // The thread enters a state, on a CPU or none. For kernels that record each state.
  void change(uint32_t utid, int64_t ts, StringId state, uint32_t ucpu);
  StringId last_state(uint32_t utid);  // none without a state
  // Returns the begin of the last state; kUnset without a state.
  int64_t last_start(uint32_t utid);
  // Sets the name of the last state, which had none.
  void explain_last(uint32_t utid, StringId state);
  // Sets why the thread was blocked last.
  void explain(uint32_t utid, const BlockedExtra& blocked);
  // Adds the row of an event of kind ThreadState.
  void add_row(uint32_t utid, const Event& event, ArgSource args, uint32_t machine);
  // Call after the last event. Waits for tasks.
  void finish() { rows_.now().finish(); }

 private:
  enum class Task : uint8_t { Switch, Wake, Start, Explain };
  static constexpr size_t kTaskWords = 4;
  // The first word of each task.
  struct Head {
    uint32_t task : 8;
    uint32_t irq_context : 8;
    uint32_t may_repeat : 1;
    uint32_t waker_is_task : 1;  // whether the waker is a task, not the idle thread
    uint32_t of;                 // CPU, or waker
  };

  bool is_task(uint32_t utid) const { return utid != kNone && store_.threads.is_idle[utid] == 0; }
  void queue(Head head, int64_t ts, uint32_t utid, uint32_t other, uint32_t extra);
  void queue_wake(Task task, uint32_t utid, int64_t ts, const Waking& waking);
  static void run(ThreadStateRows& rows, const TaskBlock& block);

  DeferredArgs& args_;
  Cpus& cpus_;
  Store& store_;
  StringId running_;
  Deferred<ThreadStateRows> rows_;
};

}  // namespace tracebraid
