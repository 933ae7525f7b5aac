// Networks: match sets that relate clocks in loops are solved together (spec alignment 6).
//
// Input: the judged match sets, and the graph with all other evidence except wall clocks and
// guesses. Clocks that other evidence relates are one cluster. Output: the relation of each cluster
// to the timeline, or to the first clock of clusters that nothing relates to the timeline; sets
// that contradict the others around their loops are refused. Called by content.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "clock/clock_graph.h"
#include "clock/contradictions.h"
#include "merge/align/match_set.h"
#include "merge/align/outcome.h"

namespace tracebraid::align {

// The place of a cluster by all match sets around it.
struct NetworkRelation {
  ContentHop hop;  // from a clock of the cluster to the root
  EvidenceSource source = EvidenceSource::Usual;
  FileId file;
  std::vector<Observation> knots;  // from readings of hop.a to those of hop.b, ns
};

struct Networks {
  std::vector<NetworkRelation> relations;
  std::vector<Contradiction> contradictions;  // of the sets that were refused
  std::vector<size_t> contradicted;           // indexes of these sets
  // Numbers of sets of networks of which more than a tenth contradict each other. They stay
  // unsolved: each cluster uses its best path.
  std::vector<size_t> unsolved;
};

// Sets loop_residual_ns of used sets in loops, and verdict, reason and detail of contradicted ones.
// Sets between the same two clusters are no loop by themselves. `nodes`: of the clocks of each
// batch.
Networks solve_networks(std::span<const std::vector<ClockId>> nodes, const ClockGraph& graph,
                        ClockModel model, std::span<MatchSet> sets);

// Adds the knots of a fit as snapshots of the two clocks.
void add_knots(ClockId a, ClockId b, std::span<const Observation> knots, SnapshotOrigin origin,
               ClockGraph& graph);

}  // namespace tracebraid::align
