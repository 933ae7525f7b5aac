// ProfileTree: call trees whose equal functions are one node, with sums.
//
// Input: functions and values of callstacks. Output: nodes, parents first. Called by
// experimental_flamegraph.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

struct ProfileFunction {
  static constexpr int64_t kNoLine = -1;
  std::string_view name, mapping, source_file;
  int64_t line = kNoLine;
  friend bool operator==(const ProfileFunction&, const ProfileFunction&) = default;
};

// Sums saturate.
struct ProfileValues {
  int64_t count = 0, size = 0, alloc_count = 0, alloc_size = 0;
  void add(const ProfileValues& other);
};

class ProfileTree {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};
  struct Node {
    ProfileFunction function;
    uint32_t parent;  // kNone for a root
    uint32_t depth;   // 0 for a root
    ProfileValues self, total;
  };

  // Returns the node of `function` below `parent`, which may be kNone. Adds it if it is new. The
  // texts must outlive the tree.
  uint32_t child(uint32_t parent, const ProfileFunction& function);
  void add(uint32_t node, const ProfileValues& values) { nodes_[node].self.add(values); }

  // Keeps the callstacks with a function whose name contains `text`, ignoring the case of ASCII
  // letters: the nodes above and below such functions, and the values in and below them. Error:
  // that of `stop`.
  Result<> focus(std::string_view text, const StopCheck& stop);
  // Computes the totals. Call it last. Error: that of `stop`.
  Result<> sum(const StopCheck& stop);

  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  using Key = std::tuple<uint32_t, std::string_view, std::string_view, std::string_view, int64_t>;
  std::vector<Node> nodes_;
  absl::flat_hash_map<Key, uint32_t> numbers_;
};

}  // namespace tracebraid
