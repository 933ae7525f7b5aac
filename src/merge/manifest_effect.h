// Relations of the manifest that relate no events: a clock that no file of the machine has, or a
// relation that other evidence replaces.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "assemble/placed_batch.h"
#include "manifest/manifest.h"
#include "merge/locate/located.h"
#include "merge/place/place.h"
#include "merge/problem.h"

namespace tracebraid {

// Returns a problem for each relation that the manifest states and that places no event. The
// message names the clocks of the file. `counts[i]` has the counts of batch i, by clock. `paths`
// has the paths of the manifests, by entry.
std::vector<Problem> void_statements(const Manifest& manifest, const Located& located,
                                     std::span<const PlacedBatch> batches,
                                     std::span<const std::vector<PlaceCount>> counts,
                                     std::span<const std::string> paths);

}  // namespace tracebraid
