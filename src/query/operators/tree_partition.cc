#include "query/operators/tree_partition.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/core.h>

namespace tracebraid {

Result<> partition_tree(std::vector<GroupedNode>& nodes, const StopCheck& stop) {
  PacedStopCheck check(stop);
  absl::flat_hash_map<uint32_t, size_t> rows;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (check.stopped()) return tl::unexpected(check.error());
    if (!rows.emplace(nodes[i].id, i).second)
      return fail(ErrorCode::Sql, fmt::format("tree: the id {} occurs twice", nodes[i].id));
  }
  std::vector<std::vector<size_t>> children(nodes.size());
  std::vector<size_t> roots;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (check.stopped()) return tl::unexpected(check.error());
    const auto parent = nodes[i].parent ? rows.find(*nodes[i].parent) : rows.end();
    if (parent == rows.end())
      roots.push_back(i);
    else
      children[parent->second].push_back(i);
  }
  // The innermost node of each group on the path from the root.
  absl::flat_hash_map<int64_t, std::optional<uint32_t>> innermost;
  struct Visit {
    size_t row;
    size_t next_child;
    std::optional<uint32_t> before;  // innermost node of the group around this one
  };
  std::vector<Visit> path;
  size_t visited = 0;
  for (const size_t root : roots) {
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
      if (visit.next_child < children[visit.row].size()) {
        const size_t child = children[visit.row][visit.next_child++];
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
