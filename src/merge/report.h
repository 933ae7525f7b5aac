// The placement report: rows of `placement`, and the stats of what was lost.
#pragma once

#include <span>
#include <vector>

#include "merge/facts.h"
#include "merge/locate.h"
#include "merge/place.h"

namespace tracebraid {

// One row for each (file, machine, clock) that had events. `counts[i]` are those
// of batch i, by its clocks. Appends to `bumps`, the import log, and the table.
void report_placement(std::span<const PlacedBatch> batches,
                      std::span<const std::vector<PlaceCount>> counts, const Located& located,
                      const PlacingRules& rules, std::vector<StatBump>& bumps, Store& store);

}  // namespace tracebraid
