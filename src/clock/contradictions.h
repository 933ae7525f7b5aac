// Contradictions: evidence that says something else than the path that was chosen.
#pragma once

#include <vector>

#include "clock/clock_graph.h"
#include "clock/error_bounds.h"

namespace tracebraid {

// Two clocks were known at one moment, but their paths put the two readings apart by more than
// all that they may be off.
struct Contradiction {
  ClockId a, b;
  EvidenceKind kind;                     // of the evidence that is not followed
  int64_t count = 0;                     // moments at which it is so; the rest is of the worst
  int64_t apart_ns = 0;                  // place of b minus that of a, without sign
  int64_t bound_ns = 0;                  // what they may be off together
  int64_t reading_a = 0, reading_b = 0;  // ns
  FileId file;
  uint64_t byte_offset = 0;
};

// One for each two clocks and kind of evidence, in the order of the snapshots; guesses
// contradict nothing. Every snapshot is compared, each of its clocks with the first that has a
// place.
std::vector<Contradiction> find_contradictions(const ClockGraph& graph, const Placement& placement,
                                               ErrorBounds& bounds);

}  // namespace tracebraid
