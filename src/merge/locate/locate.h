// Locating: which machine each file is of, which node of the clock graph each
// of its clocks is, and where on the timeline each node lies.
//
// assign machines -> trackers -> trace time -> evidence -> ties -> fallbacks -> solve
//
// Decided once, on what all files say (spec clocks 4-6, 8, 10).
//
// Input: batches of all files, the manifest. Output: Located: the machine of each file and the
// Placement. Called by merge().
#pragma once

#include <span>

#include "base/result.h"
#include "manifest/manifest.h"
#include "merge/locate/located.h"
#include "merge/locate/options.h"
#include "tables/store.h"

namespace tracebraid {

// Fills machines, clock_snapshots, clocks and clock_edges of `store`, and the
// rows of metadata that stem from the manifest and the choice of trace time.
// Errors are those of the manifest (spec clocks 10.4, rows 33 to 46).
Result<Located> locate(std::span<const FileToLocate> files, const Manifest* manifest,
                       const LocateOptions& options, Store& store);

}  // namespace tracebraid
