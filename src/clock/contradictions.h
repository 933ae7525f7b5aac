// Contradictions: evidence that disagrees with the chosen paths. Found after solve(), for the
// placement report.
#pragma once

#include <vector>

#include "clock/clock_graph.h"
#include "clock/error_bounds.h"

namespace tracebraid {

// Readings of two clocks at one moment that their paths place further apart than their bounds
// allow.
struct Contradiction {
  ClockId a, b;
  EvidenceKind kind;     // of the evidence that disagrees
  int64_t count = 0;     // number of such moments; the other fields describe the worst
  int64_t apart_ns = 0;  // distance of the two places
  int64_t bound_ns = 0;  // sum of the bounds
  int64_t reading_a = 0, reading_b = 0;  // ns
  FileId file;
  uint64_t byte_offset = 0;
};

// Returns one contradiction for each pair of clocks and kind of evidence, in the order of the
// snapshots; guesses never contradict. Compares the clocks of every snapshot with its first clock
// that has a place.
std::vector<Contradiction> find_contradictions(const ClockGraph& graph, const Placement& placement,
                                               ErrorBounds& bounds);

}  // namespace tracebraid
