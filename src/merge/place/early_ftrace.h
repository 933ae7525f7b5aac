// Kernel events from before the recording (spec proto 5.1): the content of the kernel buffers at
// its start, which reaches further back on some CPUs.
#pragma once

#include <vector>

#include "assemble/placed_batch.h"
#include "merge/facts.h"

namespace tracebraid {

// Removes kernel events of each file and machine from before its tracing_started_ns, unless the
// file requests them. Reduces those from before ftrace_latest_data_start_ns to rows. Requires: the
// streams are placed and sorted.
void drop_early_ftrace(const StringPool& strings, std::vector<PlacedBatch>& batches,
                       std::vector<StatBump>& bumps);

}  // namespace tracebraid
