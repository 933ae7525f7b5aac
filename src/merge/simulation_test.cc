// Placing against ground truth: simulated machines whose clocks drift, wander, and are slewed,
// stepped and suspended.
#include <gtest/gtest.h>

#include <random>

#include "clock/relate.h"
#include "merge/simulation_outcome.h"

namespace tracebraid {
namespace {

using generate::Simulation;
using generate::World;

constexpr uint64_t kSeeds = 4;

Simulation world(World world, uint64_t seed) {
  return generate::simulate(
      {.world = world, .seed = seed, .duration_ns = 120'000'000'000, .events = 1000});
}

class InWorld : public testing::TestWithParam<World> {};

TEST_P(InWorld, TruthLiesInTheBound) {
  for (const ClockModel model : {ClockModel::Step, ClockModel::Linear}) {
    size_t placed = 0, within = 0;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const Accuracy accuracy = accuracy_of(world(GetParam(), seed), model);
      placed += accuracy.placed;
      within += accuracy.within;
    }
    EXPECT_GE(within * 1000, placed * 999) << within << " of " << placed;
  }
}

TEST_P(InWorld, LinearIsNotWorseThanTheReferenceRule) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Simulation simulation = world(GetParam(), seed);
    const Accuracy linear = accuracy_of(simulation, ClockModel::Linear);
    const Accuracy reference = accuracy_of_reference(simulation);
    EXPECT_GT(linear.placed * 10, linear.events * 9);
    EXPECT_LE(linear.median, reference.median) << seed;
    EXPECT_LE(linear.violations, reference.violations) << seed;
  }
}

// Check order_truth of spec viewer 8.3: an order that is called certain is that of the true times,
// if the true times lie within the bounds of both events.
TEST_P(InWorld, OrderTruth) {
  constexpr size_t kPairs = 5000;  // of a seed; 100,000 in all worlds
  size_t certain = 0, compared = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Simulation simulation = world(GetParam(), seed);
    const PlacedWorld placed = placed_world(simulation, ClockModel::Linear);
    const ClockGraph& graph = placed.merged.clocks->graph;
    const Placement& placement = placed.merged.clocks->placement;
    ErrorBounds bounds(graph, placement);
    ClockRelations relations(graph, placement.model());
    const auto is_within = [&](size_t i) {
      return placed.events[i] &&
             std::abs(placed.events[i]->ts - simulation.events[i].true_ns) <=
                 bounds.at(placed.events[i]->clock, simulation.events[i].reading);
    };
    std::mt19937_64 random(seed);
    for (size_t pair = 0; pair < kPairs; ++pair) {
      const size_t i = random() % simulation.events.size(), j = random() % simulation.events.size();
      if (!is_within(i) || !is_within(j)) continue;
      const generate::TrueEvent &a = simulation.events[i], &b = simulation.events[j];
      const ClockId of_a = placed.events[i]->clock, of_b = placed.events[j]->clock;
      const ReadingDistance distance = relations.distance({of_a, a.reading}, {of_b, b.reading});
      ++compared;
      certain += distance.order == ReadingOrder::Before || distance.order == ReadingOrder::After;
      if (distance.order == ReadingOrder::Before) EXPECT_LE(a.true_ns, b.true_ns) << i << " " << j;
      if (distance.order == ReadingOrder::After) EXPECT_LE(b.true_ns, a.true_ns) << i << " " << j;
      if (of_a != of_b) {
        EXPECT_EQ(distance.bound_ns, relations.bound(of_a, of_b, a.reading));
      } else if (placement.node(of_a).segments == 1) {
        EXPECT_NE(distance.order, ReadingOrder::Undecided);
        EXPECT_NE(distance.order, ReadingOrder::NotKnown);
      }
    }
  }
  EXPECT_GT(compared, kPairs * kSeeds * 9 / 10);
  EXPECT_GT(certain * 10, compared * 9) << certain << " of " << compared;
}

INSTANTIATE_TEST_SUITE_P(All, InWorld, testing::ValuesIn(generate::kWorlds),
                         [](const auto& tested) {
                           std::string name(name_of(tested.param));
                           std::erase(name, ' ');
                           return name;
                         });

TEST(Simulation, LinearFollowsADriftTenTimesBetterThanTheReferenceRule) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Simulation simulation = world(World::Drift, seed);
    const Accuracy linear = accuracy_of(simulation, ClockModel::Linear);
    EXPECT_LE(10 * linear.median, accuracy_of_reference(simulation).median) << seed;
  }
}

TEST(Simulation, IsTheSameForASeed) {
  for (const World w : generate::kWorlds) {
    EXPECT_EQ(world(w, 7).files[0].bytes, world(w, 7).files[0].bytes);
    EXPECT_NE(world(w, 7).files[0].bytes, world(w, 8).files[0].bytes);
  }
}

}  // namespace
}  // namespace tracebraid
