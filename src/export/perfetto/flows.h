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
  // Of an end that has an id of its own, with the bit own::kAnchor.
  OptInt trace_id = {};
  bool is_back = false;  // the arrow leads back in time
};

struct FlowMarks {
  std::vector<FlowMark> marks;  // by slice
  uint64_t rows = 0;            // arrows that are written
};

// Arrows of one id that lead from slice to slice keep it; others are given ids with the bit
// own::kAnchor, and the one they have is said besides.
// Of a part, arrows between slices of it.
FlowMarks mark_flows(const Store& store, const Selection& selection,
                     const Descriptors& descriptors);

}  // namespace tracebraid::perfetto
