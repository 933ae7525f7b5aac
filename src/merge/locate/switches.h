// Task switches: relates recordings of one kernel, whose clocks are not named, by the task switches
// that they have in common.
//
// Ftrace text does not name its clock, which is usually MONOTONIC. Two overlapping recordings of
// one machine have the same task switches, each in its own clock.
#pragma once

#include <span>
#include <vector>

#include "clock/same_events.h"
#include "merge/locate/clocks.h"

namespace tracebraid {

// A recording that overlaps another one of its machine with a more certain clock.
struct SameSwitches {
  struct Side {
    size_t batch, clock;  // index of Trackers::batches, index of its clocks
  };
  Side from, to;
  FileId file;  // file of `from`
  SameEvents events;
};

// Checks files with an assumed clock that no manifest places. If the switches contradict the
// assumption, the file gets a clock of its own (Tracker::has_own_clock), with a warning.
std::vector<SameSwitches> find_same_switches(std::span<const FileToLocate> files,
                                             const MachineRegistry& registry, Trackers& trackers,
                                             std::vector<Problem>& warnings);

// Adds the results as measured evidence.
void add_same_switches(std::span<const SameSwitches> found,
                       std::span<const std::vector<ClockId>> nodes, ClockGraph& graph);

}  // namespace tracebraid
