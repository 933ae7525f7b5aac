// Recordings of one kernel: which of them saw the same switches of tasks, and what that says of
// clocks that nobody named.
//
// Text of ftrace says nothing of its clock; that it is MONOTONIC is usual, not certain. But two
// recordings of one machine that overlap saw the same tasks come and go, each by its own clock.
#pragma once

#include <span>
#include <vector>

#include "clock/same_events.h"
#include "merge/locate/clocks.h"

namespace tracebraid {

// A recording that was found to overlap another one of the machine, whose clock is known better.
struct SameSwitches {
  struct Side {
    size_t batch, clock;  // an index of Trackers::batches, and of the clocks there
  };
  Side from, to;
  FileId file;  // of `from`
  SameEvents events;
};

// Looks at files whose clock is an assumption, and that no manifest speaks of. Where their
// switches contradict the assumption their clock becomes their own (Tracker::has_own_clock), with
// a warning.
std::vector<SameSwitches> find_same_switches(std::span<const FileToLocate> files,
                                             const Roster& roster, Trackers& trackers,
                                             std::vector<Problem>& warnings);

// Adds what was found, as evidence that is measured.
void add_same_switches(std::span<const SameSwitches> found,
                       std::span<const std::vector<ClockId>> nodes, ClockGraph& graph);

}  // namespace tracebraid
