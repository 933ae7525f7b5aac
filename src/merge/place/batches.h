// Places the batches of all files: the result has trace times and one list of names.
#pragma once

#include <span>
#include <vector>

#include "assemble/assemble.h"
#include "assemble/placed_batch.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/workers.h"
#include "merge/files.h"
#include "merge/locate/located.h"
#include "merge/place/place.h"

namespace tracebraid {

// Moves the batches out of the files of `order`, in reading order.
std::vector<PlacedBatch> take_batches(std::span<const uint32_t> order, const Located& located,
                                      std::vector<TraceFile>& files);

struct PlacedNames {
  Names names;                                  // of all batches
  std::vector<std::vector<PlaceCount>> counts;  // by batch, by its clocks
};

// Joins the names of all batches, converts their times, and sorts their streams. `strings` gets
// their strings. Returns an Error if interrupted.
Result<PlacedNames> place_batches(const Located& located, const PlacingRules& rules,
                                  Workers& workers, Progress& progress, StringPool& strings,
                                  std::vector<PlacedBatch>& batches);

// Returns one run per stream, ranked by (file, stream, segment), and one per batch for compact
// events, whose streams have ranks among these. `allocator` allocated the events; may be null.
std::vector<Run> runs_of(std::vector<PlacedBatch>& batches, HostAllocator* allocator);

}  // namespace tracebraid
