// RowStage: events that are a row of counter, state, thread_state, android_logs or of the tables
// that take events unchanged.
#pragma once

#include "assemble/identity/identity.h"
#include "assemble/placed_event.h"
#include "assemble/rows/plain_rows.h"
#include "assemble/rows/states.h"
#include "assemble/scheduling/thread_states.h"
#include "assemble/tracks/tracks.h"

namespace tracebraid {

class RowStage {
 public:
  RowStage(Identity& identity, DeferredArgs& args, Tracks& tracks, ThreadStates& thread_states,
           Store& store)
      : identity_(identity),
        args_(args),
        tracks_(tracks),
        thread_states_(thread_states),
        store_(store),
        states_(args, store) {}

  // Handles Counter, CounterUntilNow, State and TrackSeen.
  void add_of_track(const PlacedEvent& at);
  // Handles kinds whose events need a thread.
  void add_of_thread(const PlacedEvent& at);
  // Handles Log and UnhandledEvent, which may have no thread.
  void add_of_any(const PlacedEvent& at);

 private:
  Identity& identity_;
  DeferredArgs& args_;
  Tracks& tracks_;
  ThreadStates& thread_states_;
  Store& store_;
  States states_;
  LogRows log_rows_;
  PastCounters past_counters_;
};

}  // namespace tracebraid
