// Worlds A17 to A19 of spec alignment 13: a wall clock that was set back, with the true time of
// each event.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "generate/simulate/set_back.h"
#include "merge/align/test_seeds.h"
#include "merge/simulation_outcome.h"

namespace tracebraid {
namespace {

using generate::SetBackSimulation;
using generate::SetBackWorld;

constexpr int64_t kUs = 1000;

// The placed events of a world, compared with the truth.
struct SetBackOutcome {
  size_t refused = 0, placed = 0, within = 0, misplaced = 0;
  std::vector<size_t> refused_events;        // indexes
  int64_t by_order = 0;                      // of the table placement
  int64_t uncertainty_ns = 0;                // the same
  int64_t worst_error = 0, worst_bound = 0;  // without events near a step
};

SetBackOutcome outcome_of(const SetBackSimulation& world) {
  const PlacedWorld placed = placed_world(world.simulation, ClockModel::Linear);
  EventBounds bounds(*placed.merged.clocks);
  SetBackOutcome outcome;
  const PlacementTable& placements = placed.merged.store->placements;
  for (size_t row = 0; row < placements.rows(); ++row) {
    outcome.by_order += placements.by_order[row];
    outcome.uncertainty_ns = std::max(outcome.uncertainty_ns, placements.uncertainty_ns[row].value);
  }
  for (size_t i = 0; i < world.simulation.events.size(); ++i) {
    const generate::TrueEvent& event = world.simulation.events[i];
    if (!placed.events[i]) {
      ++outcome.refused;
      outcome.refused_events.push_back(i);
      continue;
    }
    ++outcome.placed;
    const int64_t error = std::abs(placed.events[i]->ts - event.true_ns);
    const int64_t bound = bounds.of(*placed.events[i], event.reading);
    outcome.within += error <= bound ? 1 : 0;
    if (world.is_near_step[i]) continue;
    outcome.misplaced += error > 100 * kUs ? 1 : 0;
    outcome.worst_error = std::max(outcome.worst_error, error);
    outcome.worst_bound = std::max(outcome.worst_bound, bound);
  }
  return outcome;
}

class SetBackFar : public testing::TestWithParam<SetBackWorld> {};

TEST_P(SetBackFar, AllEventsArePlacedWithinMicroseconds) {
  for (const uint64_t seed : align::test_seeds()) {
    const SetBackSimulation world = generate::simulate({.world = GetParam(), .seed = seed});
    const SetBackOutcome outcome = outcome_of(world);
    EXPECT_EQ(outcome.refused, 0U) << seed;
    EXPECT_GE(outcome.within * 1000, outcome.placed * 999) << seed;
    EXPECT_LE(outcome.worst_error, 2 * kUs) << seed;
    EXPECT_LE(outcome.worst_bound, 50 * kUs) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(A17A19, SetBackFar,
                         testing::Values(SetBackWorld::Far, SetBackWorld::Several),
                         [](const auto& tested) {
                           return tested.param == SetBackWorld::Far ? "A17" : "A19";
                         });

// The readings that both segments of a world with one step can have shown, ns.
struct BothReach {
  int64_t low, high;
};

BothReach both_reach(const SetBackSimulation& world) {
  // The clock is read every 5 s at least, and events are denser.
  constexpr int64_t kBetweenSnapshots = 5'100'000'000, kDense = 1'000'000'000;
  std::vector<generate::TrueEvent> events = world.simulation.events;
  std::ranges::sort(events, {}, &generate::TrueEvent::true_ns);
  size_t step = 1;
  while (events[step].reading > events[step - 1].reading - kDense) ++step;
  return {events[step].reading - kBetweenSnapshots, events[step - 1].reading + kBetweenSnapshots};
}

TEST(SetBack, A18ShuffledRefusesOnlyWhatTwoSegmentsReach) {
  for (const uint64_t seed : align::test_seeds()) {
    const SetBackSimulation world =
        generate::simulate({.world = SetBackWorld::Shuffled, .seed = seed});
    const SetBackOutcome outcome = outcome_of(world);
    EXPECT_EQ(outcome.misplaced, 0U) << seed;
    EXPECT_EQ(outcome.within, outcome.placed) << seed;
    EXPECT_GT(outcome.refused, 0U) << seed;
    const BothReach both = both_reach(world);
    for (const size_t event : outcome.refused_events) {
      const int64_t reading = world.simulation.events[event].reading;
      EXPECT_TRUE(both.low <= reading && reading <= both.high) << seed << " " << event;
    }
  }
}

TEST(SetBack, A18InOrderRefusesNothing) {
  for (const uint64_t seed : align::test_seeds()) {
    const SetBackSimulation world =
        generate::simulate({.world = SetBackWorld::InOrder, .seed = seed});
    const SetBackOutcome outcome = outcome_of(world);
    EXPECT_EQ(outcome.refused, 0U) << seed;
    EXPECT_EQ(outcome.misplaced, 0U) << seed;
    EXPECT_GT(outcome.by_order, 0) << seed;
    EXPECT_EQ(outcome.within, outcome.placed) << seed;
    EXPECT_LE(outcome.worst_error, 2 * kUs) << seed;
    EXPECT_LE(outcome.worst_bound, 50 * kUs) << seed;
    EXPECT_LE(outcome.uncertainty_ns, 1'000 * kUs) << seed;
  }
}

}  // namespace
}  // namespace tracebraid
