// Sched: which thread ran on which CPU, and what threads did meanwhile (spec
// proto 5.3).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <optional>
#include <vector>

#include "build/args.h"
#include "build/build.h"
#include "build/cpus.h"
#include "build/identity.h"
#include "build/later.h"
#include "build/problems.h"
#include "build/task_state.h"
#include "build/thread_states.h"

namespace tracebraid {

// One event of the scheduler, and where it was recorded.
struct SchedEvent {
  const Event* event;
  const PlacedBatch* from;
  uint32_t machine;
  uint32_t cpu() const { return event->track; }
  int64_t ts() const { return event->ts; }
};

class Sched {
 public:
  Sched(Identity& identity, ThreadStates& states, ArgsBuilder& args, Later& later, Cpus& cpus,
        Problems& problems, Store& store);

  void switch_full(const SchedEvent& at);
  void switch_compact(const SchedEvent& at);
  void waking(const SchedEvent& at);
  void waking_compact(const SchedEvent& at);
  void blocked(const SchedEvent& at);

 private:
  struct Cpu {
    uint32_t open_row = kNone;  // of sched
    uint32_t utid = kNone;      // that runs, or kNone before the first switch
    int64_t tid = 0, prio = 0;
  };
  struct Switch {
    uint32_t prev_utid, next_utid;
    StringId prev_state;
    bool closes;  // the row that is open on the CPU
  };

  // Keys and layouts of the args of rows of ftrace_event that are made here.
  struct RawLayouts {
    uint32_t prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio;
    uint32_t comm, pid, prio, success, target_cpu;
    uint32_t switch_from_named, switch_from_unnamed, waking;  // of Later
    StringId sched_switch, sched_waking;
  };

  Cpu& cpu(const SchedEvent& at);
  void apply(const SchedEvent& at, int64_t next_tid, int32_t next_prio, const Switch& change);
  StringId state_name(const SchedEvent& at, int64_t prev_state);
  // Rows of ftrace_event, if they are wanted.
  void add_stated_switch(const SchedEvent& at, const SwitchExtra& extra);
  void add_stated_waking(const SchedEvent& at, const WakingExtra& extra, uint32_t waker_utid);
  void add_raw_switch(const SchedEvent& at, const Cpu& before);
  void add_raw_waking(const SchedEvent& at, const CompactWaking& waking, uint32_t waker_utid);
  static FtraceRow raw_row(const SchedEvent& at, StringId name, uint32_t utid, uint32_t flags);
  RawLayouts& raw_layouts();

  Identity& identity_;
  ThreadStates& states_;
  ArgsBuilder& args_;
  Later& later_;
  Cpus& cpus_;
  Problems& problems_;
  Store& store_;
  std::optional<RawLayouts> raw_layouts_;
  std::vector<std::vector<Cpu>> running_;                                    // by machine and CPU
  std::vector<KernelVersion> kernels_;                                       // by machine
  absl::flat_hash_map<std::pair<uint32_t, int64_t>, StringId> state_names_;  // machine, bits
  std::vector<std::array<StringId, 512>> usual_state_names_;  // by machine and bits; none: not yet
};

}  // namespace tracebraid
