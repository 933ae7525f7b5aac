// Content evidence: relates clocks by what two recordings have in common (spec alignment 3 to 7).
//
// Input: the batches of all files, and the graph with all statements, measurements and sync
// markers. Output: match sets, and snapshots in the graph. Called by merge/locate.
#pragma once

#include <span>
#include <vector>

#include "clock/clock_graph.h"
#include "event/align_options.h"
#include "event/flow_join.h"
#include "merge/align/match_set.h"
#include "merge/locate/clocks.h"

namespace tracebraid::align {

// Returns the matches of all kinds, which depend on the files alone.
std::vector<MatchSet> find_content(std::span<const FileToLocate> files, const Trackers& trackers,
                                   const AlignOptions& options, JoinFlows join);

// Decides what each set is used for by what relates its clocks already: it places clocks that
// nothing relates, or that only follow wall-clock time less exactly; it verifies others. Adds the
// maps of used sets to the graph. Appends a warning for each set that contradicts a relation that
// was measured or stated.
void add_content(std::span<const FileToLocate> files, std::span<const std::vector<ClockId>> nodes,
                 const AlignOptions& options, ClockModel model, std::span<MatchSet> sets,
                 ClockGraph& graph, std::vector<Problem>& warnings);

// Fills the table clock_match_set. `nodes`: of the clocks of each batch.
void fill_match_sets(std::span<const MatchSet> sets, std::span<const std::vector<ClockId>> nodes,
                     Store& store);

}  // namespace tracebraid::align
