// The process that runs groups of a fleet: `tracebraid fleet-worker`, which only `fleet` starts.
// Reads tasks from standard input, and writes frames to standard output.
#pragma once

#include "base/result.h"

namespace tracebraid {

inline constexpr const char* kFleetWorker = "fleet-worker";

// Runs until standard input ends, or the parent does.
Result<> run_fleet_worker();

}  // namespace tracebraid
