// DisjointSets: numbers that are joined into sets, each with its smallest number as the root.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tracebraid {

// Not for several threads: finding a root shortens the way to it.
class DisjointSets {
 public:
  DisjointSets() = default;
  // Sets of one number each: 0 to `size` - 1.
  explicit DisjointSets(size_t size) : parents_(size) {
    std::iota(parents_.begin(), parents_.end(), 0U);
  }

  size_t size() const { return parents_.size(); }
  // Adds the number size() as a set of its own.
  void add() { parents_.push_back(static_cast<uint32_t>(parents_.size())); }
  uint32_t root(size_t number) {
    auto at = static_cast<uint32_t>(number);
    while (parents_[at] != at) at = parents_[at] = parents_[parents_[at]];
    return at;
  }
  void join(size_t a, size_t b) {
    const uint32_t root_a = root(a), root_b = root(b);
    parents_[std::max(root_a, root_b)] = std::min(root_a, root_b);
  }

 private:
  std::vector<uint32_t> parents_;
};

}  // namespace tracebraid
