// Least squares over many clocks, and edges that contradict the others (spec alignment 6).
#include "merge/align/network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace tracebraid::align {
namespace {

NetworkEdge edge(uint32_t a, uint32_t b, double apart, double bound) {
  return {a, b, {apart}, {bound}};
}

// Nodes with true offsets, and edges between them whose errors lie within their bounds.
struct TrueNetwork {
  std::vector<double> truth;
  std::vector<NetworkEdge> edges;

  void connect(uint32_t a, uint32_t b, double bound, std::mt19937_64& random) {
    const double error = std::uniform_real_distribution<double>(-bound, bound)(random);
    edges.push_back(edge(a, b, truth[b] - truth[a] + error, bound));
  }
};

TrueNetwork all_pairs(uint32_t nodes, std::mt19937_64& random) {
  TrueNetwork network;
  for (uint32_t i = 0; i < nodes; ++i)
    network.truth.push_back(i == 0 ? 0 : std::uniform_real_distribution<double>(-1e9, 1e9)(random));
  for (uint32_t b = 1; b < nodes; ++b)
    for (uint32_t a = 0; a < b; ++a)
      network.connect(a, b, std::uniform_real_distribution<double>(10e3, 100e3)(random), random);
  return network;
}

TEST(Network, AChainAddsUpOffsetsAndBounds) {
  const std::vector<NetworkEdge> edges{edge(0, 1, 100, 10), edge(2, 1, 40, 20)};
  const NetworkSolution found = solve_network(3, edges);
  ASSERT_FALSE(found.has_too_many);
  EXPECT_EQ(found.offsets[0], (std::vector<double>{0, 100, 60}));
  EXPECT_EQ(found.bounds[0], (std::vector<double>{0, 10, 30}));
  EXPECT_TRUE(std::isnan(found.loop_residuals[0]));
}

TEST(Network, ALoopSharesItsResidual) {
  // Around the loop the offsets sum up to 30.
  const std::vector<NetworkEdge> edges{edge(0, 1, 100, 20), edge(1, 2, 100, 20),
                                       edge(0, 2, 230, 20)};
  const NetworkSolution found = solve_network(3, edges);
  ASSERT_FALSE(found.has_too_many);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_FALSE(found.is_contradicted[i]);
    EXPECT_DOUBLE_EQ(std::abs(found.loop_residuals[i]), 30);
    EXPECT_DOUBLE_EQ(found.loop_bounds[i], 60);
  }
  EXPECT_NEAR(found.offsets[0][1], 110, 1e-6);
  EXPECT_NEAR(found.offsets[0][2], 220, 1e-6);
  // The other two edges leave 190 to 250 less 230 to 210: the bound is that of one edge at most.
  EXPECT_LE(found.bounds[0][1], 20);
  EXPECT_LE(found.bounds[0][2], 20);
}

TEST(Network, AnEdgeThatContradictsTheOthersIsLeftOut) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    TrueNetwork network = all_pairs(16, random);
    const size_t wrong = random() % network.edges.size();
    network.edges[wrong].apart[0] += 1e6;
    const NetworkSolution found = solve_network(16, network.edges);
    ASSERT_FALSE(found.has_too_many);
    for (size_t i = 0; i < network.edges.size(); ++i)
      EXPECT_EQ(found.is_contradicted[i], i == wrong) << round << " " << i;
    EXPECT_NEAR(found.loop_residuals[wrong], 1e6, 250e3);
  }
}

TEST(Network, TooManyContradictionsLeaveItUnsolved) {
  const std::vector<NetworkEdge> edges{edge(0, 1, 100, 20), edge(1, 2, 100, 20),
                                       edge(0, 2, 1000, 20)};
  const NetworkSolution found = solve_network(3, edges);
  EXPECT_TRUE(found.has_too_many);  // of three edges, none may be left out
  EXPECT_TRUE(found.offsets.empty());
  EXPECT_EQ(found.is_contradicted, std::vector<bool>(3, false));
}

// Returns the smallest sum of the bounds of the edges from node 0 to each node.
std::vector<double> best_sums(const TrueNetwork& network) {
  std::vector<double> sums(network.truth.size(), 1e18);
  sums[0] = 0;
  for (size_t round = 0; round < sums.size(); ++round) {
    for (const NetworkEdge& e : network.edges) {
      sums[e.a] = std::min(sums[e.a], sums[e.b] + e.bound[0]);
      sums[e.b] = std::min(sums[e.b], sums[e.a] + e.bound[0]);
    }
  }
  return sums;
}

TEST(Network, BoundsHoldAndAreNoLargerThanThoseOfTheBestPath) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 100; ++round) {
    const auto nodes = static_cast<uint32_t>(3 + random() % 14);
    TrueNetwork network = all_pairs(nodes, random);
    // Some pairs are not related; a chain keeps all nodes connected.
    std::erase_if(network.edges,
                  [&](const NetworkEdge& e) { return random() % 3 == 0 && e.b != e.a + 1; });
    const std::vector<double> sums = best_sums(network);
    const NetworkSolution found = solve_network(nodes, network.edges);
    ASSERT_FALSE(found.has_too_many);
    for (uint32_t i = 0; i < nodes; ++i) {
      EXPECT_LE(std::abs(found.offsets[0][i] - network.truth[i]), found.bounds[0][i] + 1e-3);
      EXPECT_LE(found.bounds[0][i], sums[i] + 1e-3);
    }
  }
}

TEST(Network, EachMomentHasItsOwnOffsets) {
  NetworkEdge drifting = edge(0, 1, 100, 10);
  drifting.apart.push_back(900);
  drifting.bound.push_back(15);
  const NetworkSolution found = solve_network(2, std::vector{drifting});
  EXPECT_EQ(found.offsets, (std::vector<std::vector<double>>{{0, 100}, {0, 900}}));
  EXPECT_EQ(found.bounds, (std::vector<std::vector<double>>{{0, 10}, {0, 15}}));
}

TEST(Network, TwoEdgesBetweenTwoNodesAreALoop) {
  const NetworkSolution found =
      solve_network(2, std::vector{edge(0, 1, 100, 10), edge(1, 0, -130, 30)});
  ASSERT_FALSE(found.has_too_many);
  EXPECT_DOUBLE_EQ(std::abs(found.loop_residuals[1]), 30);
  EXPECT_NEAR(found.offsets[0][1], 103, 1e-6);  // weighted by 9 to 1
  EXPECT_NEAR(found.bounds[0][1], 7, 1e-6);     // 100 to 110, less 103
}

}  // namespace
}  // namespace tracebraid::align
