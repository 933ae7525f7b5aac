// Spans: the tree of calls in a Google Cloud trace, and the lanes that show it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tracebraid::cloud_trace {

inline constexpr size_t kNoSpan = ~size_t{0};

struct Span {
  std::string id, parent_id;  // `parent_id`: empty without a parent
  int64_t begin = 0;          // ns since 1970
  int64_t end = 0;            // not before `begin`

  // Filled by arrange().
  size_t parent = kNoSpan;
  uint32_t tree = 0;  // number from 0, in the order of the roots' times
  uint32_t lane = 0;  // lane within the tree: that of the parent, unless a sibling is there
};

// Finds the parents and assigns a tree and a lane to every span, so that the spans of one lane
// nest. A span whose parent is missing, or that is its own ancestor, is a root. Returns the order
// in which to emit the spans: by time, parents before children.
std::vector<size_t> arrange(std::span<Span> spans);

}  // namespace tracebraid::cloud_trace
