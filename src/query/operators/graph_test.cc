// Graphs against definitions that look at all paths, on random edges.
#include "query/operators/graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "query/compile/rows_test.h"
#include "query/operators/tree_partition.h"

namespace tracebraid {
namespace {

using Edges = std::vector<std::pair<uint32_t, uint32_t>>;

Graph graph_of(const Edges& edges) {
  Graph graph;
  for (const auto& [source, target] : edges) graph.add_edge(source, target);
  EXPECT_TRUE(graph.finish(StopCheck()));
  return graph;
}

// Returns the nodes that can be reached without `without`.
std::set<uint32_t> reached(const Edges& edges, uint32_t start, uint32_t without) {
  std::set<uint32_t> found;
  if (start == without) return found;
  found.insert(start);
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [source, target] : edges)
      if (found.contains(source) && target != without) grows |= found.insert(target).second;
  }
  return found;
}

class Graphs : public testing::Test {
 protected:
  uint32_t below(uint32_t end) {
    return std::uniform_int_distribution<uint32_t>(0, end - 1)(random);
  }
  Edges edges(uint32_t nodes, uint32_t most) {
    Edges made;
    for (uint32_t i = below(most) + 1; i > 0; --i)
      made.emplace_back(below(nodes) * 7, below(nodes) * 7);
    return made;
  }
  std::mt19937 random{1};
  StopCheck stop;
};

TEST_F(Graphs, SearchesReachTheSameNodes) {
  for (int round = 0; round < 200; ++round) {
    const Edges all = edges(12, 20);
    const Graph graph = graph_of(all);
    const uint32_t start = all[0].first;
    for (const SearchOrder order : {SearchOrder::DepthFirst, SearchOrder::BreadthFirst}) {
      std::vector<VisitedNode> visited;
      ASSERT_TRUE(reach(graph, std::vector<uint32_t>{start}, order, stop, visited));
      std::set<uint32_t> found;
      for (const VisitedNode& node : visited) {
        EXPECT_TRUE(found.insert(node.id).second);
        if (node.parent == Graph::kNone) continue;
        EXPECT_TRUE(found.contains(node.parent));
        EXPECT_NE(std::ranges::find(all, std::pair(node.parent, node.id)), all.end());
      }
      EXPECT_EQ(found, reached(all, start, Graph::kNone));
      EXPECT_EQ(visited[0], (VisitedNode{start, Graph::kNone}));
    }
  }
}

// A dominates B if B cannot be reached without A; the immediate one is dominated by all others.
TEST_F(Graphs, DominatorsCutAllPaths) {
  for (int round = 0; round < 200; ++round) {
    const Edges all = edges(12, 30);
    const Graph graph = graph_of(all);
    const uint32_t root = all[0].first;
    const auto found = dominators(graph, graph.node(root), stop);
    ASSERT_TRUE(found);
    const std::set<uint32_t> nodes = reached(all, root, Graph::kNone);
    std::map<uint32_t, std::set<uint32_t>> dominating;  // of each node, without itself
    for (const uint32_t node : nodes)
      for (const uint32_t other : nodes)
        if (other != node && !reached(all, root, other).contains(node))
          dominating[node].insert(other);
    for (uint32_t i = 0; i < graph.nodes(); ++i) {
      const uint32_t id = graph.id(i);
      if (!nodes.contains(id) || id == root) {
        EXPECT_EQ((*found)[i], Graph::kNone);
        continue;
      }
      const uint32_t immediate = graph.id((*found)[i]);
      std::set<uint32_t> expected = dominating[immediate];
      expected.insert(immediate);
      EXPECT_EQ(dominating[id], expected);
    }
  }
}

TEST_F(Graphs, PartitionsKeepTheNearestAncestorOfTheGroup) {
  for (int round = 0; round < 100; ++round) {
    std::vector<GroupedNode> nodes;
    for (uint32_t i = 0, count = below(30) + 1; i < count; ++i)
      nodes.push_back(
          {i, i == 0 || below(6) == 0 ? std::nullopt : std::optional(below(i)), below(3)});
    std::vector<GroupedNode> expected = nodes;
    for (GroupedNode& node : expected) {
      std::optional<uint32_t> at = node.parent;
      while (at && nodes[*at].group != node.group) at = nodes[*at].parent;
      node.parent = at;
    }
    ASSERT_TRUE(partition_tree(nodes, stop));
    for (size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(nodes[i].parent, expected[i].parent);
  }
  std::vector<GroupedNode> cycle = {{1, 2, 0}, {2, 1, 0}};
  EXPECT_EQ(partition_tree(cycle, stop).error().message, "tree: the parents form a cycle");
}

class GraphSql : public Graphs {
 protected:
  StringPool strings;
  Result<Connection> connection = connect_to({}, strings, {}, "");
};

// The sum of the values of all paths to a node, by a recursive query.
TEST_F(GraphSql, ScansHandRowsAlongEdges) {
  for (int round = 0; round < 20; ++round) {
    std::string sql = "DROP TABLE IF EXISTS g; CREATE TABLE g(s, t);";
    for (int i = 0; i < 12; ++i) {
      const uint32_t source = below(8);
      sql += fmt::format("INSERT INTO g VALUES ({}, {});", source, source + 1 + below(4));
    }
    ASSERT_EQ(rows_of(*connection, sql), "");
    const auto scan = [](std::string_view function, std::string_view step) {
      return fmt::format(
          "SELECT c0 AS id, c1 AS w FROM __intrinsic_table_columns({}("
          "(SELECT __intrinsic_graph_agg(s, t) FROM g), "
          "(SELECT __intrinsic_row_dataframe_agg('id', 0, 'w', 1)), '{}', '(w)')) ORDER BY 1, 2",
          function, step);
    };
    EXPECT_EQ(
        rows_of(*connection, scan("__intrinsic_graph_scan", "SELECT id, w + 1 AS w FROM $table")),
        rows_of(*connection,
                "WITH RECURSIVE r(id, w) AS (VALUES (0, 1) UNION ALL SELECT g.t, w + "
                "1 FROM r JOIN g ON g.s = r.id) SELECT * FROM r ORDER BY 1, 2"));
    // The number of paths to each node.
    EXPECT_EQ(
        rows_of(*connection, scan("__intrinsic_graph_aggregating_scan",
                                  "(SELECT t.id, sum(t.w) AS w FROM $table t GROUP BY t.id)")),
        rows_of(*connection,
                "WITH RECURSIVE r(id) AS (VALUES (0) UNION ALL SELECT g.t FROM r JOIN g ON "
                "g.s = r.id) SELECT id, count(*) AS w FROM r GROUP BY id ORDER BY 1, 2"));
  }
}

TEST_F(GraphSql, RefusesBadInput) {
  const auto error = [&](std::string_view sql) {
    const std::string text = rows_of(*connection, sql);
    return text.substr(text.rfind('\n') + 1);
  };
  for (const char* ids : {"-1, 2", "NULL, 2", "1, 'x'", "5000000000, 1"})
    EXPECT_EQ(error(fmt::format("SELECT __intrinsic_graph_agg({})", ids)),
              "graph: node ids must be non-negative 32-bit integers");
  EXPECT_EQ(error("SELECT __intrinsic_structural_tree_partition(column1, column2, 0) FROM (VALUES "
                  "(1, 2), (2, 1))"),
            "tree: the parents form a cycle");
  EXPECT_EQ(error("SELECT __intrinsic_graph_scan((SELECT __intrinsic_graph_agg(1, 2)), (SELECT "
                  "__intrinsic_row_dataframe_agg('id', 1)), 'SELECT nope FROM $table', '()')"),
            "no such column: nope");
  EXPECT_EQ(rows_of(*connection,
                    "SELECT c0 FROM __intrinsic_table_columns(__intrinsic_dfs(NULL, "
                    "(SELECT __intrinsic_array_agg(7))))"),
            "c0\n--\n");
}

}  // namespace
}  // namespace tracebraid
