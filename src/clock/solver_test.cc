#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "clock/clock_graph.h"

namespace tracebraid {
namespace {

// Compares a random graph with Bellman-Ford over all pairs, and each placed clock with hop-by-hop
// conversion along the chosen path.
struct RandomEvidence {
  std::vector<std::vector<ClockReading>> snapshots;
  std::vector<EvidenceKind> kinds;
};

RandomEvidence random_evidence(std::mt19937_64& random, uint32_t clocks, size_t count) {
  RandomEvidence evidence;
  std::vector<int64_t> shows(clocks, 0);
  for (size_t i = 0; i < count; ++i) {
    for (int64_t& reading : shows) reading += static_cast<int64_t>(random() % 100);
    std::vector<ClockReading> readings;
    for (uint32_t c = 0; c < clocks; ++c)
      if (random() % clocks < 2) readings.push_back({ClockId{c}, shows[c]});
    std::ranges::shuffle(readings, random);
    evidence.snapshots.push_back(readings);
    evidence.kinds.push_back(static_cast<EvidenceKind>(random() % 6));
  }
  return evidence;
}

// Every third clock advances in steps.
ClockKey key_of(uint32_t c) {
  return {.domain = c % 3 == 2 ? domain::kMonotonicCoarse : 100 + c, .machine = MachineId{c}};
}

ClockGraph graph_of(const RandomEvidence& evidence, uint32_t clocks) {
  ClockGraph graph;
  for (uint32_t c = 0; c < clocks; ++c) graph.add(key_of(c));
  graph.set_trace_time(ClockId{0});
  for (size_t i = 0; i < evidence.snapshots.size(); ++i)
    std::ignore = graph.add_snapshot(evidence.snapshots[i], {.kind = evidence.kinds[i]});
  return graph;
}

int64_t uncertainty_of(const ClockGraph& graph, EvidenceKind kind, ClockId a, ClockId b) {
  return default_uncertainty_ns(kind) + graph.grain_ns(a, kind) + graph.grain_ns(b, kind);
}

TEST(Solver, RandomGraphsAgainstBruteForce) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    const auto clocks = static_cast<uint32_t>(2 + random() % 8);
    const RandomEvidence evidence = random_evidence(random, clocks, 1 + random() % 20);
    const ClockGraph graph = graph_of(evidence, clocks);
    const Placement placement = graph.solve(ClockModel::Step);

    using Cost = std::tuple<uint32_t, uint32_t, uint32_t, int64_t, uint32_t>;
    std::vector<std::optional<Cost>> best(clocks);
    best[0] = Cost{};
    for (uint32_t pass = 0; pass < clocks; ++pass) {
      for (const ClockGraph::Snapshot& s : graph.snapshots()) {
        for (const ClockId a : graph.clocks_of(s)) {
          for (const ClockId b : graph.clocks_of(s)) {
            if (a == b || !best[a.row]) continue;
            auto [guesses, meetings, statements, ns, hops] = *best[a.row];
            const EvidenceKind kind = s.origin.kind;
            guesses += kind == EvidenceKind::Guessed;
            meetings += kind == EvidenceKind::Rendezvous;
            statements += kind == EvidenceKind::Manifest;
            if (kind != EvidenceKind::Guessed) ns += uncertainty_of(graph, kind, a, b);
            const Cost cost{guesses, meetings, statements, ns, hops + 1};
            if (!best[b.row] || cost < *best[b.row]) best[b.row] = cost;
          }
        }
      }
    }
    for (uint32_t c = 0; c < clocks; ++c) {
      ASSERT_EQ(placement.node(ClockId{c}).placed(), best[c].has_value());
      const std::vector<ClockId> path = placement.path(ClockId{c});
      if (!best[c]) continue;
      Cost cost{};
      for (size_t i = 0; i + 1 < path.size(); ++i) {
        const EvidenceKind kind = placement.node(path[i]).hop;
        std::get<0>(cost) += kind == EvidenceKind::Guessed;
        std::get<1>(cost) += kind == EvidenceKind::Rendezvous;
        std::get<2>(cost) += kind == EvidenceKind::Manifest;
        if (kind != EvidenceKind::Guessed)
          std::get<3>(cost) += uncertainty_of(graph, kind, path[i], path[i + 1]);
        ++std::get<4>(cost);
      }
      ASSERT_EQ(cost, *best[c]);
    }
  }
}

int64_t hop(const ClockGraph& graph, ClockId from, ClockId to, EvidenceKind kind, int64_t reading) {
  std::optional<Observation> best;
  for (const ClockGraph::Snapshot& s : graph.snapshots()) {
    if (s.origin.kind != kind) continue;
    const auto clocks = graph.clocks_of(s);
    const auto readings = graph.readings_of(s);
    const auto a = std::ranges::find(clocks, from), b = std::ranges::find(clocks, to);
    if (a == clocks.end() || b == clocks.end()) continue;
    const Observation o{readings[static_cast<size_t>(a - clocks.begin())],
                        readings[static_cast<size_t>(b - clocks.begin())]};
    if (!best || o.from <= reading) best = o;
  }
  return reading + best->to - best->from;
}

TEST(Solver, RandomGraphsConvertHopByHop) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 200; ++round) {
    const auto clocks = static_cast<uint32_t>(2 + random() % 8);
    const ClockGraph graph = graph_of(random_evidence(random, clocks, 1 + random() % 30), clocks);
    const Placement placement = graph.solve(ClockModel::Step);
    for (uint32_t c = 0; c < clocks; ++c) {
      if (!placement.node(ClockId{c}).placed()) continue;
      PlaceCursor cursor = placement.cursor(ClockId{c});
      for (int64_t reading = -50; reading < 1500; reading += 11) {
        int64_t expected = reading;
        const std::vector<ClockId> path = placement.path(ClockId{c});
        for (size_t i = 0; i + 1 < path.size(); ++i)
          expected = hop(graph, path[i], path[i + 1], placement.node(path[i]).hop, expected);
        int64_t got = 0;
        ASSERT_TRUE(cursor.place(reading, got));
        ASSERT_EQ(got, expected);
      }
    }
  }
}

TEST(Solver, OrderOfSnapshotsDoesNotMatter) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 100; ++round) {
    const auto clocks = static_cast<uint32_t>(2 + random() % 6);
    RandomEvidence evidence = random_evidence(random, clocks, 1 + random() % 12);
    // Strictly rising readings, so that no two snapshots contradict each other
    // about the same moment; trace time is never in a set twice.
    std::vector<int64_t> shows(clocks, 0);
    for (auto& snapshot : evidence.snapshots) {
      for (int64_t& reading : shows) reading += static_cast<int64_t>(1 + random() % 100);
      for (ClockReading& reading : snapshot) reading.ticks = shows[reading.clock.row];
    }
    const ClockModel model = round % 2 == 0 ? ClockModel::Step : ClockModel::Linear;
    const Placement before = graph_of(evidence, clocks).solve(model);
    std::vector<size_t> order(evidence.snapshots.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::shuffle(order, random);
    RandomEvidence shuffled;
    ClockGraph again;
    for (uint32_t c = 0; c < clocks; ++c) again.add(key_of(c));
    for (const size_t i : order)
      ASSERT_TRUE(again.add_snapshot(evidence.snapshots[i], {.kind = evidence.kinds[i]}));
    again.set_trace_time(ClockId{0});
    const Placement after = again.solve(model);
    for (uint32_t c = 0; c < clocks; ++c)
      for (int64_t reading = -50; reading < 1200; reading += 17)
        ASSERT_EQ(before.place({ClockId{c}, reading}), after.place({ClockId{c}, reading}));
  }
}

TEST(Solver, LongChainsStayInProportion) {
  // Each hop has three observations with changing offsets: composed naively the
  // maps of the far end would grow with every hop.
  constexpr uint32_t kClocks = 2000;
  ClockGraph graph;
  std::mt19937_64 random(14);
  for (uint32_t c = 0; c < kClocks; ++c) graph.add({.domain = 100 + c, .machine = MachineId{0}});
  graph.set_trace_time(ClockId{0});
  for (uint32_t c = 0; c + 1 < kClocks; ++c) {
    for (int64_t i = 0; i < 3; ++i) {
      const int64_t at = i * 1'000'000 + static_cast<int64_t>(random() % 1000);
      ASSERT_TRUE(graph.add_snapshot(
          std::vector<ClockReading>{{ClockId{c}, at}, {ClockId{c + 1}, at + i}}, {}));
    }
  }
  const Placement placement = graph.solve(ClockModel::Step);
  EXPECT_LT(placement.pieces(), 400'000U);
  EXPECT_TRUE(placement.place({ClockId{kClocks - 1}, 1'500'000}));
}

// One very good reading long ago against many throughout the trace.
TEST(Solver, ReadingsOfAllAlongBeatABetterOneOfLongAgo) {
  constexpr int64_t kSecond = 1'000'000'000;
  const auto path_of = [&](int64_t length) {
    ClockGraph graph;
    const ClockId boot = graph.add({.domain = domain::kBoottime, .machine = MachineId{0}});
    const ClockId mono = graph.add({.domain = domain::kMonotonic, .machine = MachineId{0}});
    const ClockId own = graph.add({.domain = 200, .machine = MachineId{0}});
    graph.set_trace_time(boot);
    const ClockReading once[] = {{own, 0}, {boot, 0}};
    EXPECT_TRUE(graph.add_snapshot(once, {.uncertainty_ns = 100}));
    for (int64_t at = 0; at <= length; at += kSecond / 10) {
      const ClockReading both[] = {{own, at}, {mono, at}};
      EXPECT_TRUE(graph.add_snapshot(both, {.uncertainty_ns = 1000}));
    }
    const ClockReading kernel[] = {{mono, 0}, {boot, 0}};
    EXPECT_TRUE(graph.add_snapshot(kernel, {.uncertainty_ns = 1000}));
    return graph.solve(ClockModel::Linear).path(own).size();
  };
  EXPECT_EQ(path_of(kSecond / 100), 2U) << "nothing drifts far in so short a time";
  EXPECT_EQ(path_of(100 * kSecond), 3U);
}

}  // namespace
}  // namespace tracebraid
