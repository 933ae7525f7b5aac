// ThreadStates: rows of thread_state and of wake-ups that woke nobody (spec
// proto 5.3).
#pragma once

#include <vector>

#include "build/args.h"
#include "build/build.h"
#include "build/cpus.h"

namespace tracebraid {

struct Waking {
  uint32_t waker_utid = kNone;
  uint8_t irq_context = 2;  // 0, 1, or 2 = not known
  bool may_repeat = false;  // nothing happens if the thread is awake
};

class ThreadStates {
 public:
  ThreadStates(ArgsBuilder& args, Cpus& cpus, Store& store);

  // The thread left its CPU; none is "nobody knows why".
  void leave(uint32_t utid, int64_t ts, StringId state);
  void run(uint32_t utid, int64_t ts, uint32_t ucpu);
  void wake(uint32_t utid, int64_t ts, const Waking& waking);
  // A new thread can run.
  void start(uint32_t utid, int64_t ts, const Waking& waking);
  // The thread enters a state, on a CPU or none. Of kernels that say it for each state.
  void change(uint32_t utid, int64_t ts, StringId state, uint32_t ucpu);
  StringId last_state(uint32_t utid);  // none if it has none
  // When it entered that; kUnset if it never did.
  int64_t last_start(uint32_t utid);
  // The last state, which nobody had a name for, is this.
  void explain_last(uint32_t utid, StringId state);
  // Why the thread was blocked last.
  void explain(uint32_t utid, const BlockedExtra& blocked);
  // A row as it stands: an event of kind ThreadState.
  void add_row(uint32_t utid, const Event& event, ArgSource args, uint32_t machine);

 private:
  struct Thread {
    uint32_t last = kNone;     // row
    uint32_t blocked = kNone;  // last row of a blocked thread since it ran
    // Of the last row, again: the table lies far off.
    int64_t since = kUnset;
    StringId state;
    bool is_open = false;
  };

  struct State {  // of a row, from its beginning
    StringId state;
    OptRow waker_utid, waker_id, irq_context, ucpu;
  };

  // Null for the idle task. The next call may move what this one gave.
  Thread* thread(uint32_t utid);
  uint32_t open(Thread& thread, uint32_t utid, int64_t ts, const State& entered);
  void close(Thread& thread, int64_t ts);
  void open_woken(uint32_t utid, int64_t ts, const Waking& waking);
  void add_spurious(uint32_t utid, uint32_t row, int64_t ts, const Waking& waking);

  ArgsBuilder& args_;
  Cpus& cpus_;
  Store& store_;
  ThreadStateTable& table_;
  std::vector<Thread> threads_;  // by utid
  StringId running_, runnable_;
};

}  // namespace tracebraid
