// The flows that Trace Event JSON can represent, in the order of written slices.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "export/trace_json/places.h"

namespace tracebraid {

// Rows of flow in the order of the slices at one end.
struct FlowEnds {
  std::vector<uint32_t> flows;
  size_t done = 0;

  // Returns the next flow of the slice, or nothing. Requires: calls in increasing order of slices,
  // for every slice with a flow.
  std::optional<uint32_t> next_of(uint32_t slice, const auto& slice_of) {
    if (done == flows.size() || slice_of[flows[done]] != slice) return std::nullopt;
    return flows[done++];
  }
};

struct ChosenFlows {
  FlowEnds starts, finishes;
  uint64_t skipped = 0;  // flows with an end that the format cannot represent
};

// Finds the flows between written slices of threads.
ChosenFlows choose_flows(const Store& store, const Places& places, const Selection& selection);

}  // namespace tracebraid
