// Proof of pairs whose keys are counts: the ids of another client or another run count alike.
#pragma once

#include <vector>

#include "merge/align/causes.h"

namespace tracebraid::align {

// Refuses sets of match_causes(causes) whose class is `counted`: as aliased if the times repeat, so
// that a few matches before and behind predict them well enough to fit; as not_same if the bound is
// so large against the time of the matches that a second run could agree as well. `is_numbered`: by
// set, whether the times may repeat, because the pairs are known otherwise; may be empty. Requires:
// `sets` are in the order of the links.
void prove_counted(const Causes& causes, const Trackers& trackers, std::vector<MatchSet>& sets,
                   const std::vector<bool>& is_numbered = {});

}  // namespace tracebraid::align
