// Placing against ground truth: simulated machines whose clocks drift, wander, and are slewed,
// stepped and suspended.
#include <gtest/gtest.h>

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
