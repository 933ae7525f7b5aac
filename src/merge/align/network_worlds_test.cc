// Worlds A15 and A16 of spec alignment 13: sixteen clocks that flows relate in pairs.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "merge/align/flow_world.h"
#include "merge/align/test_seeds.h"

namespace tracebraid::located_files {
namespace {

constexpr double kMicrosecond = 1000;
constexpr size_t kClocks = 16;

// A pair of files with flows both ways, and their least delays, ns.
struct FlowPair {
  size_t a = 0, b = 0;
  double least_ab = 0, least_ba = 0;
  double shift = 0;  // by which the times in `b` are wrong

  double asymmetry() const { return std::abs(least_ab - least_ba) / 2; }
};

struct NetworkWorld : AlignWorld {
  std::vector<FlowPair> pairs;
  double span = 10e9;
};

void add_flows(NetworkWorld& world, const FlowPair& pair, WorldRandom& random) {
  constexpr int kFlows = 200;
  std::exponential_distribution<double> tail(1 / (5 * kMicrosecond));
  for (int i = 0; i < kFlows; ++i) {
    const bool leads_to_b = i % 2 == 0;
    const double sent = draw(random, 0, world.span);
    const double received = sent + (leads_to_b ? pair.least_ab : pair.least_ba) + tail(random);
    const uint64_t id = draw_flow_id(random);
    const auto add = [&](size_t file, EventKind kind, double truth) {
      const double wrong = file == pair.b ? pair.shift : 0;
      add_flow(world.files[file], kind, id, world.clocks[file].at(truth + wrong));
    };
    add(leads_to_b ? pair.a : pair.b, EventKind::FlowStart, sent);
    add(leads_to_b ? pair.b : pair.a, EventKind::FlowEnd, received);
  }
}

// Returns the files with the given clocks and pairs.
NetworkWorld make_network(const std::vector<WorldClock>& clocks, std::vector<FlowPair> pairs,
                          WorldRandom& random) {
  NetworkWorld world;
  world.clocks = clocks;
  world.pairs = std::move(pairs);
  for (size_t i = 0; i < clocks.size(); ++i)
    world.files.emplace_back(fmt::format("n{:02}.json", i), kJson);
  for (const FlowPair& pair : world.pairs) add_flows(world, pair, random);
  world.first = world.span * 0.05;
  world.last = world.span * 0.95;
  world.add_probes();
  return world;
}

// Returns all pairs of the clocks; those of neighbours come first, in order.
std::vector<FlowPair> draw_pairs(WorldRandom& random) {
  std::vector<FlowPair> pairs;
  for (size_t apart = 1; apart < kClocks; ++apart)
    for (size_t a = 0; a + apart < kClocks; ++a)
      pairs.push_back({a, a + apart, draw(random, 50, 250) * kMicrosecond,
                       draw(random, 50, 250) * kMicrosecond});
  return pairs;
}

std::vector<WorldClock> draw_clocks(WorldRandom& random) {
  std::vector<WorldClock> clocks;
  for (size_t i = 0; i < kClocks; ++i) clocks.push_back(draw_clock(random, 1e12));
  return clocks;
}

WorldErrors errors_of(const NetworkWorld& world, const Outcome& outcome, size_t file) {
  WorldErrors errors;
  errors.add(world, outcome, file);
  return errors;
}

// Returns the rows of clock_match_set that are refused as contradicted, as pairs of files.
std::vector<std::pair<size_t, size_t>> contradicted_pairs(const Outcome& outcome) {
  std::vector<std::pair<size_t, size_t>> found;
  const ClockMatchSetTable& sets = outcome.store->clock_match_sets;
  for (size_t row = 0; row < sets.rows(); ++row) {
    const StringId reason = sets.reason[row];
    if (!reason || outcome.store->strings.get(reason) != "contradicted") continue;
    EXPECT_EQ(outcome.store->strings.get(sets.verdict[row]), "refused");
    found.emplace_back(sets.trace_b[row] - 1, sets.trace_a[row] - 1);  // the first is the container
  }
  return found;
}

TEST(NetworkWorlds, A15AChainAndAllPairs) {
  WorldTable table("A15: 16 clocks in a chain of pairs"), tight("A15: 16 clocks, all pairs");
  int64_t far_of_chains = 0, far_of_all = 0;
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    const std::vector<WorldClock> clocks = draw_clocks(random);
    const std::vector<FlowPair> pairs = draw_pairs(random);
    NetworkWorld chain = make_network(clocks, {pairs.begin(), pairs.begin() + kClocks - 1}, random);
    NetworkWorld all = make_network(clocks, pairs, random);
    const Outcome of_chain = locate_files(chain.files), of_all = locate_files(all.files);
    const Outcome before = without_content(all);
    ASSERT_EQ(of_chain.error + of_all.error, "");
    double hops = 0;
    for (size_t file = 1; file < kClocks; ++file) {
      hops += pairs[file - 1].asymmetry() + 15 * kMicrosecond;
      const WorldErrors in_chain = errors_of(chain, of_chain, file);
      const WorldErrors in_all = errors_of(all, of_all, file);
      const WorldErrors guessed = errors_of(all, before, file);
      table.add(in_chain, guessed);
      tight.add(in_all, guessed);
      EXPECT_LE(static_cast<double>(in_chain.worst()), hops) << seed << " " << file;
      EXPECT_EQ(in_chain.inside, in_chain.errors.size()) << seed << " " << file;
      EXPECT_EQ(in_all.inside, in_all.errors.size()) << seed << " " << file;
      if (file + 1 < kClocks) continue;
      far_of_chains += in_chain.median();
      far_of_all += in_all.median();
      EXPECT_GE(static_cast<double>(in_chain.worst_bound()),
                1.5 * static_cast<double>(in_all.worst_bound()))
          << seed;
      // One path to the far end has half the sum of its least delays as its bound.
      const FlowPair& direct = pairs.back();
      EXPECT_LE(static_cast<double>(in_all.worst_bound()),
                (direct.least_ab + direct.least_ba) / 2 + 25 * kMicrosecond)
          << seed;
    }
    EXPECT_EQ(contradicted_pairs(of_all).size(), 0U) << seed;
    const ClockMatchSetTable& sets = of_all.store->clock_match_sets;
    ASSERT_EQ(sets.rows(), pairs.size()) << seed;
    for (size_t row = 0; row < sets.rows(); ++row)
      EXPECT_NE(sets.loop_residual_ns[row].value, OptInt::kNull) << seed;
    const ClockMatchSetTable& of_hops = of_chain.store->clock_match_sets;
    for (size_t row = 0; row < of_hops.rows(); ++row)
      EXPECT_EQ(of_hops.loop_residual_ns[row].value, OptInt::kNull) << seed;
  }
  EXPECT_GE(static_cast<double>(far_of_chains), 1.5 * static_cast<double>(far_of_all));
}

TEST(NetworkWorlds, A16OneEdgeIsShifted) {
  WorldTable table("A16: 16 clocks, all pairs, one 1 ms off");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    const std::vector<WorldClock> clocks = draw_clocks(random);
    std::vector<FlowPair> pairs = draw_pairs(random);
    FlowPair& wrong = pairs[static_cast<size_t>(random()) % pairs.size()];
    wrong.shift = random() % 2 == 0 ? 1e6 : -1e6;
    NetworkWorld world = make_network(clocks, pairs, random);
    const Outcome outcome = locate_files(world.files), before = without_content(world);
    ASSERT_EQ(outcome.error, "");
    using Pairs = std::vector<std::pair<size_t, size_t>>;
    EXPECT_EQ(contradicted_pairs(outcome), (Pairs{{wrong.a, wrong.b}})) << seed;
    EXPECT_EQ(outcome.store->clock_contradictions.rows(), 1U) << seed;
    for (size_t file = 1; file < kClocks; ++file) {
      const WorldErrors errors = errors_of(world, outcome, file);
      table.add(errors, errors_of(world, before, file));
      EXPECT_EQ(errors.inside, errors.errors.size()) << seed << " " << file;
      // As without the wrong edge: two hops at most.
      EXPECT_LE(errors.worst(), 230 * 1000) << seed << " " << file;
    }
  }
}

// A group that nothing relates to the timeline: its files keep their distances.
TEST(NetworkWorlds, AGroupWithoutTheTimelineIsOneBlock) {
  WorldRandom random(7);
  std::vector<WorldClock> clocks = draw_clocks(random);
  clocks.resize(4);
  std::vector<FlowPair> pairs;
  for (size_t b = 2; b < 4; ++b)
    for (size_t a = 1; a < b; ++a) pairs.push_back({a, b, 60 * kMicrosecond, 60 * kMicrosecond});
  NetworkWorld world = make_network(clocks, pairs, random);
  const Outcome outcome = locate_files(world.files);
  ASSERT_EQ(outcome.error, "");
  const auto off = [&](size_t file) {
    const double truth = world.probe_at(0);
    return outcome.ts.at(fmt::format("probe{}.0", file)) - world.clocks[1].at(truth);
  };
  EXPECT_LE(std::abs(off(2) - off(1)), 30'000);
  EXPECT_LE(std::abs(off(3) - off(1)), 30'000);
  for (size_t file = 1; file < 4; ++file)
    EXPECT_EQ(outcome.located.rule(outcome.located.clocks[file][0].node), "guessed");
}

}  // namespace
}  // namespace tracebraid::located_files
