#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <string>

#include "event/event_kind.h"
#include "merge/align/test_seeds.h"
#include "merge/locate/test_files.h"

namespace tracebraid::located_files {
namespace {

using FlowRandom = std::mt19937_64;

double uniform_of(FlowRandom& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

void add_flow(File& file, EventKind kind, uint64_t id, int64_t ticks) {
  file.event("flow", ticks);
  Event& event = file.batch.streams[0].events.back();
  event.kind = static_cast<uint8_t>(kind);
  event.value = static_cast<int64_t>(id);
}

// What one clock shows at a true time.
struct FlowClock {
  double offset = 0, rate = 0;
  int64_t at(double truth) const { return std::llround(truth + offset + rate * truth); }
};

// Two files with flows between them.
struct FlowWorld {
  double least_ab = 0, least_ba = 0, tail = 20e3;  // delays, ns
  double span = 30e9;                              // ns
  double wrong = 0;                                // share of flows whose end is another one's
  int flows = 300;
  bool both_ways = true, are_global = true;
  FlowClock clocks[2];
  std::deque<File> files;
};

FlowWorld draw_flows(FlowRandom& random) {
  FlowWorld world;
  world.least_ab = uniform_of(random, 50e3, 1e6);
  world.least_ba = uniform_of(random, 50e3, 1e6);
  // Clocks of JSON files count from their start.
  for (FlowClock& clock : world.clocks)
    clock = {uniform_of(random, 0, 1e12), uniform_of(random, -5e-5, 5e-5)};
  return world;
}

// Adds events e0.0 to e0.20 and e1.0 to e1.20 at equal true times, and the flows.
void add_events(FlowWorld& world, FlowRandom& random) {
  std::exponential_distribution<double> tail(1 / world.tail);
  for (int i = 0; i < world.flows; ++i) {
    const int from = world.both_ways ? i % 2 : 0;
    const double sent = uniform_of(random, 0, world.span);
    double received = sent + (from == 0 ? world.least_ab : world.least_ba) + tail(random);
    if (uniform_of(random, 0, 1) < world.wrong) received = uniform_of(random, 0, world.span);
    // 64 random bits look like a global id, small numbers do not.
    const uint64_t id =
        world.are_global ? (random() | 1) & 0x7ffffffffffffffd : static_cast<uint64_t>(i);
    if (world.are_global && !is_evidently_global(id)) continue;
    add_flow(world.files[static_cast<size_t>(from)], EventKind::FlowStart, id,
             world.clocks[from].at(sent));
    add_flow(world.files[static_cast<size_t>(1 - from)], EventKind::FlowEnd, id,
             world.clocks[1 - from].at(received));
  }
  for (size_t file = 0; file < 2; ++file)
    for (int i = 0; i <= 20; ++i)
      world.files[file].event("e" + std::to_string(file) + "." + std::to_string(i),
                              world.clocks[file].at(world.span * i / 20));
}

void simulate_flows(FlowWorld& world, FlowRandom& random) {
  world.files.emplace_back("a.json", kJson);
  world.files.emplace_back("b.json", kJson);
  add_events(world, random);
}

std::string flow_verdict(const Outcome& outcome) {
  const ClockMatchSetTable& sets = outcome.store->clock_match_sets;
  if (sets.rows() == 0) return "none";
  const auto text = [&](StringId id) {
    return id ? std::string(outcome.store->strings.get(id)) : std::string();
  };
  return text(sets.verdict[0]) + ":" + text(sets.reason[0]);
}

std::string rule_of(const Outcome& outcome) {
  return std::string(outcome.located.rule(outcome.located.clocks[1][0].node));
}

// The largest distance of simultaneous events, and whether all are within the bound.
struct FlowErrors {
  int64_t worst = 0;
  int64_t bound = 0;
};
FlowErrors errors_of_flows(const Outcome& outcome) {
  FlowErrors errors;
  errors.bound = outcome.located.placement.node(outcome.located.clocks[1][0].node).uncertainty_ns;
  for (int i = 0; i <= 20; ++i) {
    const std::string at = "." + std::to_string(i);
    errors.worst =
        std::max(errors.worst, std::abs(outcome.ts.at("e0" + at) - outcome.ts.at("e1" + at)));
  }
  return errors;
}

TEST(Flows, RelateRecordingsBothWays) {
  for (uint64_t seed = 1; seed <= align::test_seeds(); ++seed) {
    FlowRandom random(seed);
    FlowWorld world = draw_flows(random);
    simulate_flows(world, random);
    const Outcome outcome = locate_files(world.files);
    ASSERT_EQ(outcome.error, "");
    ASSERT_EQ(flow_verdict(outcome), "used:") << seed;
    EXPECT_EQ(rule_of(outcome), "relayed");
    const FlowErrors errors = errors_of_flows(outcome);
    const double asymmetry = std::abs(world.least_ab - world.least_ba) / 2;
    EXPECT_LE(static_cast<double>(errors.worst), asymmetry + 60e3) << seed;
    const ClockMatchSetTable& sets = outcome.store->clock_match_sets;
    EXPECT_LE(static_cast<double>(sets.bound_ns[0].value),
              (world.least_ab + world.least_ba) / 2 + 60e3)
        << seed;
    EXPECT_GT(outcome.store->clock_matches.rows(), 100U);
    EXPECT_EQ(outcome.store->clock_matches.rows(), static_cast<size_t>(sets.candidates[0]));
  }
}

TEST(Flows, TruthLiesInTheBound) {
  size_t inside = 0, all = 0;
  for (uint64_t seed = 1; seed <= 2 * align::test_seeds(); ++seed) {
    FlowRandom random(seed + 100);
    FlowWorld world = draw_flows(random);
    world.wrong = seed % 2 == 0 ? 0.15 : 0;
    simulate_flows(world, random);
    const Outcome outcome = locate_files(world.files);
    if (flow_verdict(outcome) != "used:") continue;
    const FlowErrors errors = errors_of_flows(outcome);
    ++all;
    // The bound of the node is that of the best knot; the fit holds at every knot.
    const ClockMatchSetTable& sets = outcome.store->clock_match_sets;
    const int64_t bound = 2 * std::max(errors.bound, sets.bound_ns[0].value);
    inside += errors.worst <= bound ? 1 : 0;
  }
  EXPECT_GT(all, 0U);
  EXPECT_EQ(inside, all);
}

TEST(Flows, MostlyWrongIdsAreRefused) {
  for (uint64_t seed = 1; seed <= 3 * align::test_seeds(); ++seed) {
    FlowRandom random(seed);
    FlowWorld world = draw_flows(random);
    world.wrong = uniform_of(random, 0.6, 1);
    simulate_flows(world, random);
    const Outcome outcome = locate_files(world.files);
    EXPECT_TRUE(flow_verdict(outcome).starts_with("refused:")) << flow_verdict(outcome);
    EXPECT_EQ(rule_of(outcome), "guessed");
  }
}

TEST(Flows, OneWayIsRefused) {
  FlowRandom random(1);
  FlowWorld world = draw_flows(random);
  world.both_ways = false;
  simulate_flows(world, random);
  const Outcome outcome = locate_files(world.files);
  EXPECT_EQ(flow_verdict(outcome), "refused:one_sided");
  EXPECT_EQ(rule_of(outcome), "guessed");
}

TEST(Flows, LocalIdsMatchNothing) {
  FlowRandom random(2);
  FlowWorld world = draw_flows(random);
  world.are_global = false;
  simulate_flows(world, random);
  EXPECT_EQ(flow_verdict(locate_files(world.files)), "none");
}

TEST(Flows, IdsThatAreUsedTwiceMatchNothing) {
  FlowRandom random(3);
  FlowWorld world = draw_flows(random);
  simulate_flows(world, random);
  for (File& file : world.files) {
    std::vector<Event> events = file.batch.streams[0].events;
    std::ranges::copy(events, std::back_inserter(file.batch.streams[0].events));
  }
  EXPECT_EQ(flow_verdict(locate_files(world.files)), "none");
}

TEST(Flows, OffAndOtherKindsPlaceNothing) {
  FlowRandom random(4);
  FlowWorld world = draw_flows(random);
  simulate_flows(world, random);
  EXPECT_EQ(flow_verdict(locate_files(world.files, {}, {.align = {.kinds = 0}})), "none");
  const AlignOptions others = *parse_align("collectives");
  EXPECT_EQ(flow_verdict(locate_files(world.files, {}, {.align = others})), "none");
  const Outcome verified = locate_files(world.files, {}, {.align = {.places = false}});
  EXPECT_EQ(flow_verdict(verified), "verified:");
  EXPECT_EQ(rule_of(verified), "guessed");
}

TEST(Flows, AStatedOffsetIsOnlyVerified) {
  FlowRandom random(5);
  FlowWorld world = draw_flows(random);
  simulate_flows(world, random);
  const Outcome outcome = locate_files(world.files, R"("files": [{"path": "a.json"},
      {"path": "b.json", "clocks": {"sync_to": {"file": "a.json"}, "offset_ns": 77}}])");
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(flow_verdict(outcome), "verified:");
  EXPECT_EQ(rule_of(outcome), "manifest");
  EXPECT_EQ(outcome.store->clock_contradictions.rows(), 1U);
}

// Machines whose wall clocks are off by `off` ns.
Outcome on_wall_clocks(int64_t off) {
  FlowRandom random(6);
  FlowWorld world = draw_flows(random);
  world.least_ab = world.least_ba = 100e3;
  world.clocks[0] = {5e9, 0};
  world.clocks[1] = {7e9, 0};
  world.files.emplace_back("a.pb", kProto);
  world.files.emplace_back("b.pb", kProto);
  for (size_t i = 0; i < 2; ++i) {
    const int64_t wall = W + (i == 0 ? 0 : off);
    world.files[i].snap({{B, world.clocks[i].at(0)}, {R, wall}});
    world.files[i].snap(
        {{B, world.clocks[i].at(world.span)}, {R, wall + std::llround(world.span)}});
  }
  add_events(world, random);
  return locate_files(world.files, R"("files": [{"path": "a.pb", "machine": {"name": "phone"}},
      {"path": "b.pb", "machine": {"name": "server"}}])");
}

TEST(Flows, WallClocksAreTightenedAndContradicted) {
  const Outcome near = on_wall_clocks(3'000'000);
  ASSERT_EQ(near.error, "");
  EXPECT_EQ(flow_verdict(near), "used:");
  EXPECT_LE(errors_of_flows(near).worst, 60'000);
  EXPECT_EQ(near.store->clock_contradictions.rows(), 0U);
  const Outcome far = on_wall_clocks(100'000'000);
  EXPECT_EQ(flow_verdict(far), "used:");
  EXPECT_LE(errors_of_flows(far).worst, 60'000);
  ASSERT_EQ(far.store->clock_contradictions.rows(), 1U);
  EXPECT_EQ(far.store->strings.get(far.store->clock_contradictions.kind[0]), "rendezvous");
}

TEST(Causality, CountsWhatIsOutOfOrderByMoreThanTheBound) {
  FlowRandom random(7);
  FlowWorld world = draw_flows(random);
  world.least_ab = world.least_ba = 100e3;
  simulate_flows(world, random);
  // Ten flows that end 5 s before they start.
  for (int i = 0; i < 10; ++i) {
    const uint64_t id = (random() | 1) & 0x7ffffffffffffffd;
    if (!is_evidently_global(id)) continue;
    const double at = 10e9 + i * 1e9;
    add_flow(world.files[0], EventKind::FlowStart, id, world.clocks[0].at(at));
    add_flow(world.files[1], EventKind::FlowEnd, id, world.clocks[1].at(at - 5e9));
  }
  const Outcome outcome = locate_files(world.files);
  ASSERT_EQ(flow_verdict(outcome), "used:");
  const CausalityTable& table = outcome.store->causality;
  ASSERT_EQ(table.rows(), 2U);
  int64_t certain = 0, ok = 0, before = 0, pairs = 0;
  for (size_t row = 0; row < table.rows(); ++row) {
    certain += table.certain[row];
    ok += table.ok[row];
    pairs += table.pairs[row];
    before += table.before_certain[row].value;
    EXPECT_EQ(table.unknown[row], 0);
  }
  EXPECT_GE(certain, 5);
  EXPECT_EQ(static_cast<size_t>(certain), outcome.located.violations.size());
  EXPECT_EQ(ok + certain, pairs);
  EXPECT_GT(before, 100);  // the guess puts one direction in the wrong order
}

TEST(Causality, OfAGuessIsUnknown) {
  FlowRandom random(8);
  FlowWorld world = draw_flows(random);
  world.clocks[0].offset = 5e9;
  world.clocks[1].offset = 0;
  world.both_ways = false;
  simulate_flows(world, random);
  const Outcome outcome = locate_files(world.files, {}, {.align = {.kinds = 0}});
  const CausalityTable& table = outcome.store->causality;
  ASSERT_EQ(table.rows(), 1U);
  EXPECT_EQ(table.certain[0], 0);
  EXPECT_EQ(table.unknown[0] + table.ok[0], table.pairs[0]);
  EXPECT_EQ(table.before_certain[0].value, OptInt::kNull);
}

}  // namespace
}  // namespace tracebraid::located_files
