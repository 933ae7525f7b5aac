// Flows that a Trace Event JSON can draw, in the order in which slices are written.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "export/trace_json/places.h"

namespace tracebraid {

// Rows of flow in the order of the slices at one of their ends.
struct FlowEnds {
  std::vector<uint32_t> flows;
  size_t done = 0;

  // The next flow of this slice; nothing if there is no more. Slices are asked for in rising order,
  // and none that has a flow is left out.
  std::optional<uint32_t> next_of(uint32_t slice, const auto& slice_of) {
    if (done == flows.size() || slice_of[flows[done]] != slice) return std::nullopt;
    return flows[done++];
  }
};

struct ChosenFlows {
  FlowEnds starts, finishes;
  uint64_t skipped = 0;  // with an end that the format cannot draw
};

// Of the slices that are written, those between slices of threads.
ChosenFlows choose_flows(const Store& store, const Places& places, const Selection& selection);

}  // namespace tracebraid
