#include "assemble/json/memory_graph.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <optional>
#include <string>

namespace tracebraid {
namespace {

uint32_t add(MemoryGraph& graph, uint32_t space, const std::string& path,
             std::optional<int64_t> size, bool weak = false) {
  const uint32_t node = graph.node(space, path);
  graph.at(node).is_explicit = true;
  graph.at(node).is_weak = weak;
  graph.at(node).size = size;
  return node;
}

// Returns "path=size/effective" of nodes with sizes.
std::map<std::string, std::pair<int64_t, int64_t>> sizes(const MemoryGraph& graph) {
  std::map<std::string, std::pair<int64_t, int64_t>> all;
  for (const MemoryGraph::Node& node : graph.nodes())
    if (!node.is_removed)
      all[node.path] = {node.size.value_or(-1), node.effective_size.value_or(-1)};
  return all;
}

using Sizes = std::map<std::string, std::pair<int64_t, int64_t>>;

// The example of the specification.
TEST(MemoryGraph, OwnersShareByImportance) {
  MemoryGraph graph(StringId{});
  const uint32_t owned = add(graph, 1, "owned", 10);
  const std::pair<int64_t, int64_t> owners[] = {{6, 2}, {7, 2}, {5, 1}, {8, 0}};
  for (const auto& [size, importance] : owners) {
    const uint32_t owner = add(graph, 1, "o" + std::to_string(size), size);
    EXPECT_TRUE(graph.add_edge({.source = owner, .target = owned, .importance = importance}));
  }
  EXPECT_EQ(graph.finalise(), 0);
  EXPECT_EQ(
      sizes(graph),
      (Sizes{{"owned", {10, 2}}, {"o6", {6, 3}}, {"o7", {7, 4}}, {"o5", {5, 0}}, {"o8", {8, 1}}}));
}

TEST(MemoryGraph, ANodeOwnsOneOther) {
  MemoryGraph graph(StringId{});
  const uint32_t a = add(graph, 1, "a", 1), b = add(graph, 1, "b", 1), c = add(graph, 1, "c", 1);
  EXPECT_TRUE(graph.add_edge({.source = a, .target = b, .importance = 1}));
  EXPECT_TRUE(graph.add_edge({.source = a, .target = b, .importance = 5}));
  EXPECT_FALSE(graph.add_edge({.source = a, .target = c}));
  ASSERT_EQ(graph.edges().size(), 1U);
  EXPECT_EQ(graph.edges()[0].importance, 5);
}

TEST(MemoryGraph, DescendantsThatOwnEachOtherCountOnce) {
  MemoryGraph graph(StringId{});
  const uint32_t owner = add(graph, 1, "p/x", 4), owned = add(graph, 1, "p/y", 10);
  graph.add_edge({.source = owner, .target = owned});
  EXPECT_EQ(graph.finalise(), 0);
  EXPECT_EQ(sizes(graph), (Sizes{{"p", {10, 10}}, {"p/x", {4, 4}}, {"p/y", {10, 6}}}));
}

TEST(MemoryGraph, SizesSmallerThanTheirPartsGrow) {
  MemoryGraph graph(StringId{});
  add(graph, 1, "p", 3);
  add(graph, 1, "p/x", 4);
  EXPECT_EQ(graph.finalise(), 1);
  EXPECT_EQ(sizes(graph), (Sizes{{"p", {4, 4}}, {"p/x", {4, 4}}}));
}

TEST(MemoryGraph, TracingOverheadIsTakenFromTheHeap) {
  MemoryGraph graph(StringId{});
  add(graph, 1, "tracing", 10);
  add(graph, 1, "malloc", 100);
  EXPECT_EQ(graph.finalise(), 0);
  const Sizes all = sizes(graph);
  EXPECT_EQ(all.at("tracing"), (std::pair<int64_t, int64_t>(10, 10)));
  EXPECT_EQ(all.at("malloc"), (std::pair<int64_t, int64_t>(100, 90)));
  EXPECT_EQ(all.at("malloc/allocated_objects/tracing_overhead"),
            (std::pair<int64_t, int64_t>(10, 0)));
  EXPECT_EQ(all.at("malloc/<unspecified>"), (std::pair<int64_t, int64_t>(90, 90)));
}

TEST(MemoryGraph, OwnersOfAGlobalNodeHaveItsSize) {
  MemoryGraph graph(StringId{});
  const uint32_t shared = add(graph, MemoryGraph::kGlobalSpace, "shared", 8);
  const uint32_t owner = add(graph, 1, "mapping", std::nullopt);
  graph.add_edge({.source = owner, .target = shared});
  EXPECT_EQ(graph.finalise(), 0);
  EXPECT_EQ(sizes(graph), (Sizes{{"shared", {8, 0}}, {"mapping", {8, 8}}}));
}

TEST(MemoryGraph, WeakNodesTakeTheirOwnersWithThem) {
  MemoryGraph graph(StringId{});
  const uint32_t weak = add(graph, 1, "w", 8, true);
  const uint32_t owner = add(graph, 1, "o", 8);
  add(graph, 1, "o/kid", 8);
  graph.add_edge({.source = owner, .target = weak});
  EXPECT_EQ(graph.finalise(), 0);
  EXPECT_EQ(sizes(graph), Sizes{});
}

TEST(MemoryGraph, CirclesOfOwnersAreCut) {
  MemoryGraph graph(StringId{});
  const uint32_t a = add(graph, 1, "a", 1), kid = add(graph, 1, "a/kid", 1);
  const uint32_t b = add(graph, 1, "b", 2);
  graph.add_edge({.source = a, .target = kid});
  graph.add_edge({.source = b, .target = b});
  EXPECT_EQ(graph.finalise(), 2);
  EXPECT_EQ(sizes(graph), (Sizes{{"a", {1, 1}}, {"a/kid", {1, 1}}, {"b", {2, 2}}}));
}

TEST(MemoryGraph, HugeSizesDoNotOverflow) {
  MemoryGraph graph(StringId{});
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  add(graph, 1, "p/x", kHuge);
  add(graph, 1, "p/y", kHuge);
  graph.finalise();
  EXPECT_EQ(sizes(graph).at("p").first, kHuge);
}

}  // namespace
}  // namespace tracebraid
