// Flows: which ids the slices of an exported file carry, so that the same arrows come of them.
#pragma once

#include <cstdint>
#include <vector>

#include "export/perfetto/descriptors.h"

namespace tracebraid::perfetto {

struct FlowMark {
  uint32_t slice;
  bool ends;  // a terminating flow id
  uint64_t id;
};

struct FlowMarks {
  std::vector<FlowMark> marks;  // by slice
  uint64_t rows = 0;            // arrows that are written
  uint64_t new_ids = 0;         // of them, with an id that is not the one they had
};

// Arrows of one id that lead from slice to slice keep it; others are given ids. `has_anchors` of
// the events that carry ids with the bit own::kAnchor says that these are none of the trace's.
FlowMarks mark_flows(const Store& store, const Descriptors& descriptors);

}  // namespace tracebraid::perfetto
