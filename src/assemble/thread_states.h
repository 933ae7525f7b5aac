// ThreadStates: rows of thread_state and of wake-ups that woke nobody (spec
// proto 5.3).
#pragma once

#include <vector>

#include "assemble/args.h"
#include "assemble/assemble.h"
#include "assemble/cpus.h"
#include "assemble/lane.h"

namespace tracebraid {

struct Waking {
  uint32_t waker_utid = kNone;
  uint8_t irq_context = 2;  // 0, 1, or 2 = not known
  bool may_repeat = false;  // nothing happens if the thread is awake
};

// Most of it is done later, and on another thread (lane()).
class ThreadStates {
 public:
  ThreadStates(ArgsBuilder& args, Cpus& cpus, Store& store);

  // One thread left the CPU, the other runs on it. No state is "nobody knows why".
  void switch_to(uint32_t prev_utid, uint32_t next_utid, int64_t ts, StringId state, uint32_t ucpu);
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
  // All has been said.
  void finish();

  Lane& lane() { return lane_; }

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
  void ask(Head head, int64_t ts, uint32_t utid, uint32_t other, uint32_t extra);
  void ask_wake(Task task, uint32_t utid, int64_t ts, const Waking& waking);

  // By whoever works on the lane:
  void run_block(const Lane::Block& block);
  // The next call may move what this one gave.
  Thread& thread(uint32_t utid);
  void leave(uint32_t utid, int64_t ts, StringId state);
  void enter(uint32_t utid, int64_t ts, uint32_t ucpu);
  void wake_now(uint32_t utid, int64_t ts, const Waking& waking, bool waker_is_task);
  void open_woken(uint32_t utid, int64_t ts, const Waking& waking, bool waker_is_task);
  void explain_now(uint32_t utid, StringId function, uint32_t io_wait);
  uint32_t open(Thread& thread, uint32_t utid, int64_t ts, const State& entered);
  void close(Thread& thread, int64_t ts);
  void set_reason(uint32_t row, StringId function, OptRow io_wait);
  void add_spurious(uint32_t utid, uint32_t row, int64_t ts, const Waking& waking);

  ArgsBuilder& args_;
  Cpus& cpus_;
  Store& store_;
  ThreadStateTable& table_;
  std::vector<Thread> threads_;  // by utid
  StringId running_, runnable_;
  Lane lane_{[this](const Lane::Block& block) { run_block(block); }};
};

}  // namespace tracebraid
