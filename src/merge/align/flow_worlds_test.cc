// Worlds A5 to A8, A14, A21 and A22 of spec alignment 13: flows between two recordings, with the
// true times.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "merge/align/flow_world.h"
#include "merge/align/test_seeds.h"

namespace tracebraid::located_files {
namespace {

constexpr double kUs = 1000;

// How far a placement by flows may be from the truth.
struct FlowLimits {
  double error = 15 * kUs, bound = 25 * kUs;  // beyond what the least delays explain
  double error_share = 1;                     // quantile of the errors
};

// Draws a world with 100 flows or more in each direction.
FlowWorld draw_many_flows(WorldRandom& random) {
  FlowWorld world = draw_flows(random);
  world.flows = static_cast<int>(draw(random, 200, 1500));
  world.tail = draw(random, 5, 20) * kUs;
  world.span = draw(random, 5e9, 20e9);
  return world;
}

// Returns the errors of the second file at the start and the end of the recording.
WorldErrors errors_at_ends(const FlowWorld& world, const Outcome& outcome) {
  WorldErrors errors;
  const ClockId clock = outcome.located.clocks[1][0].node;
  ErrorBounds bounds(outcome.located.graph, outcome.located.placement);
  for (int k = 0; k < 2; ++k) {
    const double truth = k * world.span;
    const int64_t placed = outcome.ts.at(fmt::format("end1.{}", k));
    errors.note(std::abs(placed - world.clocks[0].at(truth)),
                bounds.at(clock, world.clocks[1].at(truth)));
  }
  return errors;
}

// Places the files; expects that flows place the second one within the limits.
void expect_placed(FlowWorld& world, const FlowLimits& limits, std::string_view manifest,
                   uint64_t seed, WorldTable& table) {
  const Outcome outcome = locate_files(world.files, manifest);
  ASSERT_EQ(outcome.error, "");
  ASSERT_EQ(verdict_of_file(outcome, 1), "flows:used:") << seed;
  EXPECT_EQ(rule_of_second(outcome), "relayed") << seed;
  WorldErrors errors, before;
  errors.add(world, outcome, 1);
  before.add(world, without_content(world, manifest), 1);
  table.add(errors, before);
  const double asymmetry = std::abs(world.least_ab - world.least_ba) / 2;
  const double half_way = (world.least_ab + world.least_ba) / 2;
  EXPECT_LE(static_cast<double>(WorldErrors::at_share(errors.errors, limits.error_share)),
            asymmetry + limits.error)
      << seed;
  EXPECT_LE(static_cast<double>(errors.worst_bound()), half_way + limits.bound) << seed;
  EXPECT_EQ(errors.inside, errors.errors.size()) << seed;
  // Only causes of one direction may lie near the ends.
  const WorldErrors ends = errors_at_ends(world, outcome);
  EXPECT_LE(static_cast<double>(ends.worst()), asymmetry + 2 * limits.error) << seed;
  EXPECT_LE(static_cast<double>(ends.worst_bound()), half_way + 2 * limits.bound) << seed;
  EXPECT_EQ(ends.inside, 2U) << seed;
}

TEST(FlowWorlds, A5BothWays) {
  WorldTable table("A5: flows both ways");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    FlowWorld world = draw_many_flows(random);
    simulate_flows(world, random);
    expect_placed(world, {}, {}, seed, table);
  }
}

TEST(FlowWorlds, A6ClocksThatWander) {
  WorldTable table("A6: flows both ways, rates that change by 3 to 12 ppm");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    FlowWorld world = draw_flows(random);
    world.span = 600e9;
    world.flows = static_cast<int>(600 * draw(random, 4, 20));
    world.tail = draw(random, 5, 20) * kUs;
    for (WorldClock& clock : world.clocks) {
      clock.wander = draw(random, 3e-6, 12e-6) / 2;  // from -wander to +wander
      clock.period = draw(random, 120e9, 600e9);
      clock.phase = draw(random, 0, 6);
    }
    simulate_flows(world, random);
    expect_placed(world, {.error = 20 * kUs, .bound = 40 * kUs, .error_share = 0.99}, {}, seed,
                  table);
  }
}

TEST(FlowWorlds, A7IdsWronglyPaired) {
  WorldTable table("A7: up to 30 % of the ids wrongly paired");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    FlowWorld world = draw_many_flows(random);
    world.wrong = draw(random, 0, 0.3);
    simulate_flows(world, random);
    expect_placed(world, {.error = 25 * kUs, .bound = 35 * kUs}, {}, seed, table);
    const Outcome outcome = locate_files(world.files);
    std::set<std::string> early;
    for (const uint64_t id : world.early_flows) early.insert(std::to_string(id));
    const ClockMatchTable& matches = outcome.store->clock_matches;
    size_t found = 0;
    for (size_t row = 0; row < matches.rows(); ++row) {
      if (!early.contains(std::string(outcome.store->strings.get(matches.key[row])))) continue;
      ++found;
      EXPECT_EQ(matches.used[row], 0) << seed;
    }
    EXPECT_EQ(found, early.size()) << seed;
  }
}

TEST(FlowWorlds, A7MostIdsWronglyPaired) {
  WorldTable table("A7: 60 % of the ids wrongly paired");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    FlowWorld world = draw_flows(random);
    world.wrong = 0.6;
    simulate_flows(world, random);
    const Outcome outcome = locate_files(world.files);
    const std::string verdict = verdict_of_file(outcome, 1);
    ASSERT_TRUE(verdict.starts_with("flows:refused:")) << seed << " " << verdict;
    EXPECT_EQ(rule_of_second(outcome), "guessed") << seed;
    table.add_refused(verdict.substr(verdict.rfind(':') + 1));
  }
}

TEST(FlowWorlds, A8OneWayWithoutWallClocks) {
  WorldTable table("A8: flows one way");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    FlowWorld world = draw_flows(random);
    world.both_ways = false;
    simulate_flows(world, random);
    const Outcome outcome = locate_files(world.files), before = without_content(world);
    EXPECT_EQ(verdict_of_file(outcome, 1), "flows:refused:one_sided") << seed;
    EXPECT_EQ(rule_of_second(outcome), "guessed") << seed;
    EXPECT_EQ(outcome.ts, before.ts) << seed;
    table.add_refused("one_sided");
  }
}

TEST(FlowWorlds, A8OneWayWithWallClocks) {
  WorldTable table("A8: flows one way, wall clocks within 8 ms");
  size_t used = 0;
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    FlowWorld world = draw_flows(random);
    world.both_ways = false;
    simulate_machines(world, draw(random, -8e6, 8e6), random);
    const Outcome outcome = locate_files(world.files, kPhoneAndServer);
    ASSERT_EQ(outcome.error, "");
    WorldErrors errors, before;
    errors.add(world, outcome, 1);
    before.add(world, without_content(world, kPhoneAndServer), 1);
    table.add(errors, before);
    EXPECT_EQ(rule_of_second(outcome), "rendezvous") << seed;
    // The flows cut one side of the band, unless all of it is nearly as far as wall clocks can be.
    const bool is_used = verdict_of_file(outcome, 1) == "flows:used:";
    used += is_used ? 1 : 0;
    EXPECT_LE(errors.worst_bound(), 20'000'000) << seed;
    EXPECT_LE(errors.worst_bound() + (is_used ? 1 : 0), before.worst_bound()) << seed;
    EXPECT_EQ(errors.inside, errors.errors.size()) << seed;
  }
  EXPECT_LT(table.with().median(), table.without().median());
  EXPECT_GE(used * 10, table.files() * 9);
}

// The wall clock of the second machine is set in the middle. Its events have wall-clock times.
TEST(FlowWorlds, StepsOfWallClocksAreTakenOut) {
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    FlowWorld world = draw_many_flows(random);
    world.domain = B;
    world.second_domain = R;
    world.files.emplace_back("a.pb", kProto);
    world.files.emplace_back("b.pb", kProto);
    WorldClock wall = world.clocks[1];
    wall.base = W;
    wall.step = draw(random, 20e6, 500e6) * (seed % 2 == 0 ? 1 : -1);
    wall.step_at = draw(random, 0.3, 0.7) * world.span;
    const double interval = draw(random, 0.5e9, 1e9);
    for (double at = 0; at < world.span + interval; at += interval) {
      world.files[0].snap({{B, world.clocks[0].at(at)}});
      world.files[1].snap({{B, world.clocks[1].at(at)}, {R, wall.at(at)}});
    }
    world.clocks[1] = wall;
    add_flows(world, random);
    const Outcome outcome = locate_files(world.files, kPhoneAndServer);
    ASSERT_EQ(verdict_of_file(outcome, 1), "flows:used:") << seed;
    EXPECT_EQ(rule_of_second(outcome), "relayed") << seed;
    WorldErrors errors;
    errors.add(world, outcome, 1);
    EXPECT_GT(errors.errors.size(), 35U) << seed;
    // Nobody knows when in its interval the clock was set.
    constexpr double kElsewhere = 0.75;
    EXPECT_LE(static_cast<double>(WorldErrors::at_share(errors.errors, kElsewhere)),
              std::abs(world.least_ab - world.least_ba) / 2 + 15 * kUs)
        << seed;
    EXPECT_LE(static_cast<double>(WorldErrors::at_share(errors.bounds, kElsewhere)),
              (world.least_ab + world.least_ba) / 2 + 35 * kUs)
        << seed;
    EXPECT_EQ(errors.inside, errors.errors.size()) << seed;
  }
}

TEST(FlowWorlds, A14MachinesByNtp) {
  WorldTable table("A14: flows both ways, wall clocks within 5 ms");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    FlowWorld world = draw_many_flows(random);
    simulate_machines(world, draw(random, -5e6, 5e6), random);
    expect_placed(world, {}, kPhoneAndServer, seed, table);
    EXPECT_EQ(locate_files(world.files, kPhoneAndServer).store->clock_contradictions.rows(), 0U);
  }
}

// Adds flows that end `early` ns before they start. Returns how many.
size_t add_early_flows(FlowWorld& world, int count, double early, WorldRandom& random) {
  for (int i = 0; i < count; ++i) {
    const double sent = draw(random, early, world.span);
    const size_t from = static_cast<size_t>(i) % 2;
    const uint64_t id = draw_flow_id(random);
    add_flow(world.files[from], EventKind::FlowStart, id, world.clocks[from].at(sent),
             world.domain);
    add_flow(world.files[1 - from], EventKind::FlowEnd, id, world.clocks[1 - from].at(sent - early),
             world.domain);
    world.early_flows.insert(id);
  }
  return static_cast<size_t>(count);
}

TEST(FlowWorlds, A21ReusedIdsAreCertain) {
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    FlowWorld world = draw_flows(random);
    world.least_ab = draw(random, 50, 300) * kUs;
    world.least_ba = draw(random, 50, 300) * kUs;
    world.flows = 9'900;
    simulate_flows(world, random);
    add_early_flows(world, 100, 1e6, random);
    const Outcome outcome = locate_files(world.files);
    ASSERT_EQ(verdict_of_file(outcome, 1), "flows:used:") << seed;
    std::set<std::string> early, certain;
    for (const uint64_t id : world.early_flows) early.insert(std::to_string(id));
    for (const align::CausalViolation& violation : outcome.located.violations)
      if (violation.order == align::Order::Certain) certain.insert(violation.key);
    EXPECT_EQ(certain, early) << seed;
    EXPECT_EQ(outcome.located.violations.size(), early.size()) << seed;
  }
}

TEST(FlowWorlds, A22WithinTheBoundIsNoViolation) {
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    FlowWorld world = draw_flows(random);
    world.both_ways = false;
    // The second wall clock is so late that all flows seem to end before they start.
    simulate_machines(world, draw(random, -8e6, -4e6), random);
    const Outcome outcome = without_content(world, kPhoneAndServer);
    ASSERT_EQ(outcome.error, "");
    const CausalityTable& table = outcome.store->causality;
    ASSERT_EQ(table.rows(), 1U) << seed;
    EXPECT_GT(table.within[0], 0) << seed;
    EXPECT_EQ(table.certain[0] + table.unknown[0], 0) << seed;
  }
}

}  // namespace
}  // namespace tracebraid::located_files
