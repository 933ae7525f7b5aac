// Flows: chooses flow ids for the slices of an exported file, so that importing it gives the same
// flows.
#pragma once

#include <cstdint>
#include <vector>

#include "export/perfetto/descriptors.h"

namespace tracebraid::perfetto {

struct FlowMark {
  uint32_t slice;
  bool ends;  // a terminating flow id
  uint64_t id;
  // The trace id of an end whose id has the bit own::kAnchor.
  OptInt trace_id = {};
  bool is_back = false;  // the flow leads back in time
};

struct FlowMarks {
  std::vector<FlowMark> marks;  // by slice
  uint64_t rows = 0;            // written flows
};

// Flows whose id links consecutive slices keep it. Others get an id with the bit own::kAnchor and
// their id in addition. A part of a trace has the flows between its slices.
FlowMarks mark_flows(const Store& store, const Selection& selection,
                     const Descriptors& descriptors);

}  // namespace tracebraid::perfetto
