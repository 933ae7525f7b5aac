// LifeStage: events of the lives, names and facts of processes and threads.
#pragma once

#include <map>

#include "assemble/args/owner_args.h"
#include "assemble/identity/android_processes.h"
#include "assemble/identity/chrome_processes.h"
#include "assemble/identity/identity.h"
#include "assemble/placed_event.h"
#include "assemble/scheduling/thread_states.h"

namespace tracebraid {

class LifeStage {
 public:
  LifeStage(Identity& identity, DeferredArgs& args, ThreadStates& thread_states, Store& store)
      : identity_(identity),
        args_(args),
        thread_states_(thread_states),
        store_(store),
        android_processes_(store) {}

  void process(const PlacedEvent& at);
  void thread(const PlacedEvent& at);
  void new_task(const PlacedEvent& at);
  // Call after the last event.
  void finish_starts();
  // Requires: args has no queued sets. Fills the columns arg_set_id of process and thread.
  void fill_args();

 private:
  void process_died(const PlacedEvent& at);
  void describe_process(const PlacedEvent& at, uint32_t upid);
  void apply_start(uint32_t process_name, uint32_t upid);
  void set_start(uint32_t upid, int64_t ts);

  Identity& identity_;
  DeferredArgs& args_;
  ThreadStates& thread_states_;
  Store& store_;
  AndroidProcesses android_processes_;
  ChromeProcesses chrome_processes_;
  OwnerArgs process_args_, thread_args_;
  std::map<uint32_t, int64_t> starts_;  // of processes not seen yet, by name
};

}  // namespace tracebraid
