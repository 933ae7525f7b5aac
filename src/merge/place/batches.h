// Placing the batches of all files: from here on there are only trace times and one list of names.
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

// Moves the pieces out of the files of `order`: everything that they hold, in reading order.
std::vector<PlacedBatch> take_batches(std::span<const uint32_t> order, const Located& located,
                                      std::vector<TraceFile>& files);

struct PlacedNames {
  Names names;                                  // of all batches
  std::vector<std::vector<PlaceCount>> counts;  // by batch, by its clocks
};

// Joins the names of all batches, converts their times, and sorts their streams. `strings`
// gets their strings. An Error when interrupted.
Result<PlacedNames> place_batches(const Located& located, const PlacingRules& rules,
                                  Workers& workers, Progress& progress, StringPool& strings,
                                  std::vector<PlacedBatch>& batches);

// A run for each stream, ranked by (file, stream, piece), and one for compact events of each batch,
// whose streams have their ranks among these.
std::vector<Run> runs_of(std::vector<PlacedBatch>& batches);

}  // namespace tracebraid
