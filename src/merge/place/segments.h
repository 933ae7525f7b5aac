// Divides the events of clocks that were set back among the segments of these clocks (spec
// alignment 10).
//
// A reading that one segment reaches belongs to that segment. For others the order of the file
// decides, if it holds for the events whose segment is known. The events get a clock of their own
// for each segment, so that placing and the report treat them as those of any other clock. Events
// that nothing decides keep their clock: the placement refuses their readings if they are
// ambiguous.
//
// Input: batches with readings, and their clocks. Output: the same with more clocks. Called by
// merge(), before placing.
#pragma once

#include <vector>

#include "assemble/placed_batch.h"
#include "merge/locate/located.h"

namespace tracebraid {

// Counts events whose readings no segment reaches in located.bumps.
void divide_by_segments(std::vector<PlacedBatch>& batches, Located& located);

}  // namespace tracebraid
