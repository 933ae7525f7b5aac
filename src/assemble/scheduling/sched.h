// Sched: the threads on each CPU, and the states of threads (spec proto 5.3).
//
// Input: switches, wakings and blocked reasons. Output: rows of sched, thread_state and
// spurious_sched_wakeup. Called by dispatch.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/identity/cpus.h"
#include "assemble/identity/identity.h"
#include "assemble/placed_batch.h"
#include "assemble/problems.h"
#include "assemble/scheduling/thread_states.h"
#include "kernel/task_state.h"
#include "tables/store.h"

namespace tracebraid {

// An event of the scheduler and its origin.
struct SchedEvent {
  const Event* event;
  const PlacedBatch* from;
  uint32_t machine;
  uint32_t cpu() const { return event->track; }
  int64_t ts() const { return event->ts; }
};

class Sched {
 public:
  Sched(Identity& identity, ThreadStates& states, DeferredArgs& args, Cpus& cpus,
        Problems& problems, Store& store);

  // Adds compact events of a batch, in order of time.
  void add_records(std::span<const SchedRecord> records, uint32_t batch, const PlacedBatch& from);
  // Call after the last compact event of the batch.
  void end_of_batch(uint32_t batch);
  void switch_full(const SchedEvent& at);
  void switch_compact(const SchedEvent& at);
  void waking(const SchedEvent& at);
  void waking_compact(const SchedEvent& at);
  void blocked(const SchedEvent& at);

 private:
  static constexpr uint32_t kNoCombination = kNone;
  struct Cpu {
    uint32_t open_row = kNone;  // open row of sched
    uint32_t utid = kNone;      // running thread; kNone before the first switch
    int64_t tid = 0, prio = 0;
    StringId comm;  // comm of the last compact switch, with the next two fields
    uint32_t combination = kNoCombination;  // as a combination of args
  };
  struct Switch {
    uint32_t prev_utid, next_utid;
    StringId prev_state;
    bool closes;  // whether to close the open row of the CPU
  };
  // CPU, time and machine of an event.
  struct Moment {
    int64_t ts;
    uint32_t machine, cpu;
    FileId file;
  };
  // A thread of compact events.
  struct Task {
    uint32_t number = kNone;  // number of Identity, on this machine
    uint32_t machine = 0;
    uint32_t combination = kNoCombination;  // of args: comm, pid, prio
    StringId comm;
    int32_t tid = 0, prio = 0;
  };
  struct BatchTasks {
    std::vector<Task> tasks;            // by EventBatch::sched_tasks, up to the last one used
    std::vector<uint32_t> machines;     // by EventBatch::sched_facts
    std::vector<StringId> state_names;  // by EventBatch::sched_facts
  };

  // Keys and layouts of the args of the rows of ftrace_event of compact events.
  struct RawLayouts {
    uint32_t prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio;
    uint32_t comm, pid, prio, success, target_cpu;
    uint32_t switch_from_named, switch_from_unnamed, waking;  // layouts of DeferredArgs
    uint32_t tasks;                                           // combinations: comm, pid, prio
    StringId sched_switch, sched_waking;
  };

  static Moment moment(const SchedEvent& at) {
    return {at.ts(), at.machine, at.cpu(), at.from->file};
  }
  Cpu& cpu(const Moment& at);
  BatchTasks& tasks_of(uint32_t batch, const PlacedBatch& from);
  Task& task_of(BatchTasks& of, const PlacedBatch& from, uint32_t machine, uint32_t task);
  Task task(uint32_t machine, StringId comm, int32_t tid, int32_t prio);
  // `is_early`: adds only the row of the event.
  void compact_switch(const Moment& at, const Task& next, int64_t prev_state, bool is_early,
                      StringId* known_name);
  void compact_waking(const Moment& at, const Task& woken, uint32_t flags, uint32_t target_cpu);
  void apply(const Moment& at, Cpu& now, const Cpu& next, const Switch& change);
  StringId state_name(const Moment& at, int64_t prev_state);
  // Add rows of ftrace_event, if requested.
  void add_switch_row(const SchedEvent& at, const SwitchExtra& extra);
  void add_waking_row(const SchedEvent& at, const WakingExtra& extra, uint32_t waker_utid);
  void add_raw_switch(const Moment& at, const Cpu& before, int64_t prev_state, const Task& next);
  static FtraceRow raw_row(const Moment& at, StringId name, uint32_t utid, uint32_t flags);
  uint32_t combination(StringId comm, int64_t tid, int64_t prio);
  RawLayouts& raw_layouts();

  Identity& identity_;
  ThreadStates& states_;
  DeferredArgs& args_;
  Cpus& cpus_;
  Problems& problems_;
  Store& store_;
  std::optional<RawLayouts> raw_layouts_;
  absl::flat_hash_map<std::tuple<uint32_t, int64_t, int64_t>, uint32_t> combinations_;
  std::vector<std::unique_ptr<BatchTasks>> batch_tasks_;
  std::vector<std::vector<Cpu>> running_;                                    // by machine and CPU
  std::vector<KernelVersion> kernels_;                                       // by machine
  absl::flat_hash_map<std::pair<uint32_t, int64_t>, StringId> state_names_;  // machine, bits
  std::vector<std::array<StringId, 512>> usual_state_names_;  // by machine and bits; none: not yet
};

}  // namespace tracebraid
