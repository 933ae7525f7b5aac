// Kernel events from before the recording (spec proto 5.1): what the kernel's buffers held
// when it started, and what some CPUs remember longer than others.
#pragma once

#include <vector>

#include "assemble/placed_batch.h"
#include "merge/facts.h"

namespace tracebraid {

// Removes kernel events of each file and machine from before its tracing_started_ns, unless
// the file wants them. Of those from before ftrace_latest_data_start_ns only the rows stay.
// The streams must be placed and sorted.
void drop_early_ftrace(const StringPool& strings, std::vector<PlacedBatch>& batches,
                       std::vector<StatBump>& bumps);

}  // namespace tracebraid
