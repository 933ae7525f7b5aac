// ThreadStates: rows of thread_state and of wake-ups that woke nobody (spec
// proto 5.3).
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
  uint8_t irq_context = 2;  // 0, 1, or 2 = not known
  bool may_repeat = false;  // nothing happens if the thread is awake
};

// The rows themselves: changes by one thread, in the order of time.
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
  // A row that scheduler events do not go on from. Returns it.
  uint32_t add_row(uint32_t utid, int64_t ts, int64_t dur, StringId state);
  void set_reason(uint32_t row, StringId function, OptRow io_wait);
  void set_cpu(uint32_t row, uint32_t ucpu) { table_.ucpu.at(row) = OptRow{ucpu}; }
  // All columns have all rows afterwards.
  void finish();

 private:
  struct Thread {
    uint32_t last = kNone;     // row
    uint32_t blocked = kNone;  // last row of a blocked thread since it ran
    // Copies from the last row: the table lies far off.
    int64_t since = kUnset;
    StringId state;
    bool is_open = false;
  };
  struct State {  // of a row, from its beginning
    StringId state;
    OptRow waker_utid, waker_id, irq_context, ucpu;
  };

  // The next call may move what this one returned.
  Thread& thread(uint32_t utid);
  uint32_t open(Thread& thread, uint32_t utid, int64_t ts, const State& entered);
  void close(Thread& thread, int64_t ts);
  void add_spurious(uint32_t utid, uint32_t row, int64_t ts, const Waking& waking);

  ThreadStateTable& table_;
  SpuriousWakeupTable& wakeups_;
  std::vector<Thread> threads_;  // by utid
  StringId running_, runnable_;
};

// Used by the assembling thread. Most changes are tasks for any thread.
class ThreadStates {
 public:
  ThreadStates(TaskQueues& queues, DeferredArgs& args, Cpus& cpus, Store& store);

  // One thread left the CPU, the other runs on it. No state means that nothing says why.
  void switch_to(uint32_t prev_utid, uint32_t next_utid, int64_t ts, StringId state, uint32_t ucpu);
  void wake(uint32_t utid, int64_t ts, const Waking& waking);
  // A new thread can run.
  void start(uint32_t utid, int64_t ts, const Waking& waking);
  // The thread enters a state, on a CPU or none. For kernels that say it for each state.
  void change(uint32_t utid, int64_t ts, StringId state, uint32_t ucpu);
  StringId last_state(uint32_t utid);  // none if it has none
  // When it entered that; kUnset if it never did.
  int64_t last_start(uint32_t utid);
  // The last state, which nobody had a name for, is this.
  void explain_last(uint32_t utid, StringId state);
  // Why the thread was blocked last.
  void explain(uint32_t utid, const BlockedExtra& blocked);
  // A row that an event of kind ThreadState states.
  void add_row(uint32_t utid, const Event& event, ArgSource args, uint32_t machine);
  // All events have come. Waits for tasks.
  void finish() { rows_.now().finish(); }

 private:
  enum class Task : uint8_t { Switch, Wake, Start, Explain };
  static constexpr size_t kTaskWords = 4;
  // The first word of each task.
  struct Head {
    uint32_t task : 8;
    uint32_t irq_context : 8;
    uint32_t may_repeat : 1;
    uint32_t waker_is_task : 1;  // not the idle one
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
