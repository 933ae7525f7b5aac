// Causality: a cause happens before its effect, on whatever clocks both were recorded (spec
// alignment 8). Checks the placement against all pairs of cause and effect in different recordings,
// also those that placed nothing.
//
// Input: causes, effects, collectives and barriers, and the placements with and without content.
// Output: rows of causality, and the violations, whose slices are known only after assembling.
// Called by merge/locate and merge.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "clock/clock_graph.h"
#include "merge/align/causes.h"
#include "merge/align/collectives.h"
#include "merge/align/outcome.h"
#include "merge/locate/clocks.h"
#include "tables/store.h"

namespace tracebraid::align {

// The clocks of the batches, and their places.
struct PlacedClocks {
  const ClockGraph& graph;
  const Placement& placement;
  std::span<const std::vector<ClockId>> nodes;  // of the clocks of each batch
};

// Operations that ranks leave after all have begun them.
struct Meetings {
  std::string_view kind;  // as in clock_match_set
  std::span<const RankRecording> ranks;
};

struct CausalityInput {
  std::span<const Meetings> meetings;
  std::span<const Causes> causes;
};

// Fills the table causality. `before`: without content; null if content moves nothing. Returns the
// violations, worst first, at most 100000.
std::vector<CausalViolation> check_causality(const CausalityInput& input, const Trackers& trackers,
                                             const PlacedClocks& now, const PlacedClocks* before,
                                             Store& store);

// Fills the table causality_violation. Takes the slices from flow_violation. Requires: the tables
// are assembled.
void fill_causality_violations(std::span<const CausalViolation> violations, Store& store);

}  // namespace tracebraid::align
