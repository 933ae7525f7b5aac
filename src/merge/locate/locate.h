// Locating: decides the machine of each file, the node of the clock graph for each of its clocks,
// and the position of each node on the timeline.
//
// assign machines -> trackers -> trace time -> evidence -> ties -> fallbacks -> solve
//
// Each decision is made once, with the facts of all files (spec clocks 4-6, 8, 10).
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

namespace align {
class KeptContent;
}

// Fills machines, clock_snapshots, clocks and clock_edges of `store`, and the rows of metadata that
// come from the manifest and the choice of trace time. Errors are those of the manifest (spec
// clocks 10.4, rows 33 to 46).
// `kept` has the content of files whose batches have no events; null: content is read from events.
Result<Located> locate(std::span<const FileToLocate> files, const Manifest* manifest,
                       const LocateOptions& options, Store& store,
                       align::KeptContent* kept = nullptr);

}  // namespace tracebraid
