// Rows of the table of findings about recordings (spec proto-2 1), which depend on the configs and
// on the stats and metadata of the files.
#pragma once

#include <span>

#include "assemble/placed_batch.h"
#include "merge/facts.h"
#include "merge/locate/located.h"
#include "tables/store.h"

namespace tracebraid {

// Appends the rows. Requires: metadata is filled.
void fill_diagnostics(std::span<const PlacedBatch> batches, std::span<const StatBump> bumps,
                      const Located& located, Store& store);

}  // namespace tracebraid
