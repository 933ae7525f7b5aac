#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "event/event_kind.h"
#include "merge/align/flow_world.h"
#include "merge/align/test_seeds.h"

namespace tracebraid::located_files {
namespace {

// The only match set, or "none".
std::string flow_verdict(const Outcome& outcome) {
  const std::string verdict = verdict_of_file(outcome, 1);
  return verdict.substr(verdict.find(':') == std::string::npos ? 0 : verdict.find(':') + 1);
}

WorldErrors errors_of_flows(const FlowWorld& world, const Outcome& outcome) {
  WorldErrors errors;
  errors.add(world, outcome, 1);
  return errors;
}

TEST(Flows, MostlyWrongIdsAreRefused) {
  for (const uint64_t seed : align::test_seeds(3)) {
    WorldRandom random(seed);
    FlowWorld world = draw_flows(random);
    world.wrong = draw(random, 0.6, 1);
    simulate_flows(world, random);
    const Outcome outcome = locate_files(world.files);
    EXPECT_TRUE(flow_verdict(outcome).starts_with("refused:")) << flow_verdict(outcome);
    EXPECT_EQ(rule_of_second(outcome), "guessed");
  }
}

TEST(Flows, OneWayIsRefused) {
  WorldRandom random(1);
  FlowWorld world = draw_flows(random);
  world.both_ways = false;
  simulate_flows(world, random);
  const Outcome outcome = locate_files(world.files);
  EXPECT_EQ(flow_verdict(outcome), "refused:one_sided");
  EXPECT_EQ(rule_of_second(outcome), "guessed");
}

TEST(Flows, LocalIdsMatchNothing) {
  WorldRandom random(2);
  FlowWorld world = draw_flows(random);
  world.are_global = false;
  simulate_flows(world, random);
  EXPECT_EQ(flow_verdict(locate_files(world.files)), "none");
}

TEST(Flows, IdsThatAreUsedTwiceMatchNothing) {
  WorldRandom random(3);
  FlowWorld world = draw_flows(random);
  simulate_flows(world, random);
  for (File& file : world.files) {
    std::vector<Event> events = file.batch.streams[0].events;
    std::ranges::copy(events, std::back_inserter(file.batch.streams[0].events));
  }
  EXPECT_EQ(flow_verdict(locate_files(world.files)), "none");
}

TEST(Flows, OffAndOtherKindsPlaceNothing) {
  WorldRandom random(4);
  FlowWorld world = draw_flows(random);
  simulate_flows(world, random);
  EXPECT_EQ(flow_verdict(locate_files(world.files, {}, {.align = {.kinds = 0}})), "none");
  const AlignOptions others = *parse_align("collectives");
  EXPECT_EQ(flow_verdict(locate_files(world.files, {}, {.align = others})), "none");
  const Outcome verified = locate_files(world.files, {}, {.align = {.places = false}});
  EXPECT_EQ(flow_verdict(verified), "verified:");
  EXPECT_EQ(rule_of_second(verified), "guessed");
}

TEST(Flows, AStatedOffsetIsOnlyVerified) {
  WorldRandom random(5);
  FlowWorld world = draw_flows(random);
  simulate_flows(world, random);
  const Outcome outcome = locate_files(world.files, R"("files": [{"path": "a.json"},
      {"path": "b.json", "clocks": {"sync_to": {"file": "a.json"}, "offset_ns": 77}}])");
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(flow_verdict(outcome), "verified:");
  EXPECT_EQ(rule_of_second(outcome), "manifest");
  EXPECT_EQ(outcome.store->clock_contradictions.rows(), 1U);
}

TEST(Flows, ContradictWallClocks) {
  WorldRandom random(6);
  FlowWorld world = draw_flows(random);
  world.least_ab = world.least_ba = 100e3;
  simulate_machines(world, 100e6, random);
  const Outcome far = locate_files(world.files, kPhoneAndServer);
  ASSERT_EQ(far.error, "");
  EXPECT_EQ(flow_verdict(far), "used:");
  EXPECT_LE(errors_of_flows(world, far).worst(), 60'000);
  ASSERT_EQ(far.store->clock_contradictions.rows(), 1U);
  EXPECT_EQ(far.store->strings.get(far.store->clock_contradictions.kind[0]), "rendezvous");
}

TEST(Causality, CountsWhatIsOutOfOrderByMoreThanTheBound) {
  WorldRandom random(7);
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
  WorldRandom random(8);
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
