// Splits a tree by groups: the parent of a node becomes its nearest ancestor of the same group.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

struct GroupedNode {
  uint32_t id;
  std::optional<uint32_t> parent;
  int64_t group;
};

// Replaces the parents. A node whose parent does not exist is a root. Errors: Sql for a cycle and
// for a repeated id, those of `stop`.
Result<> partition_tree(std::vector<GroupedNode>& nodes, const StopCheck& stop);

}  // namespace tracebraid
