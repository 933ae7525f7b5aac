// DraftEdge: an edge of the clock graph, as a draft names it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tracebraid {

// Evidence of one kind between two clocks, a row of clock_edge.
struct DraftEdge {
  uint32_t row = 0;
  std::string from, to;   // labels of the clocks
  std::string_view kind;  // as in clock_edge
};

}  // namespace tracebraid
