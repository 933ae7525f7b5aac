#include "query/operators/tree_partition.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/core.h>

#include "query/operators/numbers_by_group.h"

namespace tracebraid {

Result<> partition_tree(std::vector<GroupedNode>& nodes, const StopCheck& stop) {
  PacedStopCheck check(stop);
  absl::flat_hash_map<uint32_t, size_t> rows;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (check.stopped()) return tl::unexpected(check.error());
    if (!rows.emplace(nodes[i].id, i).second)
      return fail(ErrorCode::Sql, fmt::format("tree: the id {} occurs twice", nodes[i].id));
  }
  NumbersByGroup children;  // by node, then the roots
  const bool is_filled = children.fill(nodes.size() + 1, nodes.size(), stop, [&](size_t i) {
    const auto parent = nodes[i].parent ? rows.find(*nodes[i].parent) : rows.end();
    return static_cast<uint32_t>(parent == rows.end() ? nodes.size() : parent->second);
  });
  if (!is_filled) return tl::unexpected(stop.error());
  // The innermost node of each group on the path from the root.
  absl::flat_hash_map<int64_t, std::optional<uint32_t>> innermost;
  struct Visit {
    size_t row;
    size_t next_child;
    std::optional<uint32_t> before;  // innermost node of the group around this one
  };
  std::vector<Visit> path;
  size_t visited = 0;
  for (const size_t root : children.of(nodes.size())) {
    path.push_back({root, 0, std::nullopt});
    while (!path.empty()) {
      Visit& visit = path.back();
      GroupedNode& node = nodes[visit.row];
      if (visit.next_child == 0) {
        ++visited;
        if (check.stopped()) return tl::unexpected(check.error());
        std::optional<uint32_t>& inner = innermost[node.group];
        visit.before = inner;
        node.parent = inner;
        inner = node.id;
      }
      if (visit.next_child < children.of(visit.row).size()) {
        const size_t child = children.of(visit.row)[visit.next_child++];
        path.push_back({child, 0, std::nullopt});
        continue;
      }
      innermost[node.group] = visit.before;
      path.pop_back();
    }
  }
  if (visited != nodes.size()) return fail(ErrorCode::Sql, "tree: the parents form a cycle");
  return {};
}

}  // namespace tracebraid
