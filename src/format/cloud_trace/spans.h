// Spans: the tree of calls in a Google Cloud trace, and the rows it takes to show them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tracebraid::cloud_trace {

inline constexpr size_t kNoSpan = ~size_t{0};

struct Span {
  std::string id, parent_id;  // parent_id: empty if it has none
  int64_t begin = 0;          // ns since 1970
  int64_t end = 0;            // not before `begin`

  // Filled by arrange().
  size_t parent = kNoSpan;
  uint32_t tree = 0;  // from 0, in the order of their roots' times
  uint32_t lane = 0;  // row within the tree: a span lies on its parent's unless a sibling does
};

// Finds the parents and gives every span a tree and a lane, so that the spans of one lane nest as
// calls do. A span whose parent is not there, or that is its own ancestor, is a root. Returns the
// order in which they are to be stated: by time, parents before children.
std::vector<size_t> arrange(std::span<Span> spans);

}  // namespace tracebraid::cloud_trace
