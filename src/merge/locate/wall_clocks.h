// Wall clocks whose recording says how good they are: instants `tracebraid.clock_status` (spec
// alignment 9.2, 11.1).
//
// Input: the events of all files. Output: the bound of each machine's wall clock, which replaces
// the assumption that it is good to half of what two machines may be apart. Called by locate().
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "merge/locate/clocks.h"
#include "merge/problem.h"

namespace tracebraid {

// What a file says about the wall clock of one of its machines.
struct StatedWallClock {
  size_t batch = 0;      // index of Trackers::batches
  uint32_t machine = 0;  // index of EventBatch::machines
  int64_t error_ns = 0;  // the largest one that the kernel stated; kUnbounded: not synchronized
};

// Bounds by machine; kUnbounded for a clock that nobody synchronizes.
using WallClockErrors = absl::flat_hash_map<MachineId, int64_t>;

// Requires: the batches have events.
std::vector<StatedWallClock> read_wall_clocks(const Trackers& trackers);

// Returns the worst statement for each machine. Appends a warning for each file with a clock that
// is not synchronized.
WallClockErrors wall_clock_errors(std::span<const StatedWallClock> stated,
                                  std::span<const FileToLocate> files, const Trackers& trackers,
                                  std::vector<Problem>& warnings);

// Returns how far the wall clocks of two machines may be apart, ns.
int64_t wall_clock_distance(MachineId a, MachineId b, const WallClockErrors& errors);

}  // namespace tracebraid
