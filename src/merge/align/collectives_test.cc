#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>

#include "merge/align/rank_world.h"

namespace tracebraid::located_files {
namespace {

RankWorld simulate(int ranks, int count, double jitter, WorldRandom& random) {
  RankWorld world;
  world.ranks = ranks;
  world.operations = count;
  world.jitter = jitter;
  simulate_ranks(world, random);
  return world;
}

std::string verdict(const Outcome& outcome, size_t row) {
  const ClockMatchSetTable& sets = outcome.store->clock_match_sets;
  if (row >= sets.rows()) return "none";
  const auto text = [&](StringId id) {
    return id ? std::string(outcome.store->strings.get(id)) : std::string();
  };
  return text(sets.verdict[row]) + ":" + text(sets.reason[row]);
}

TEST(Collectives, OffUsesNothingAndVerifyPlacesNothing) {
  WorldRandom random(2);
  RankWorld world = simulate(2, 300, 5e3, random);
  Outcome outcome = locate_files(world.files, {}, {.align = {.kinds = 0}});
  EXPECT_EQ(verdict(outcome, 0), "none");
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed");
  outcome = locate_files(world.files, {}, {.align = {.places = false}});
  EXPECT_EQ(verdict(outcome, 0), "verified:");
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed");
}

TEST(Collectives, AnotherJobIsRefused) {
  const auto of = [](const auto& change) {
    WorldRandom random(3);
    RankWorld world = simulate(2, 300, 5e3, random);
    change(world.files[1].batch);
    const Outcome outcome = locate_files(world.files);
    EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed");
    return verdict(outcome, 0);
  };
  EXPECT_EQ(of([](EventBatch& batch) { batch.metadata[1].value = 4; }), "refused:other_job");
  EXPECT_EQ(of([](EventBatch& batch) { batch.metadata[0].value = 0; }), "refused:other_job");
  EXPECT_EQ(of([](EventBatch& batch) { batch.metadata.clear(); }), "refused:other_job");
  EXPECT_EQ(of([](EventBatch& batch) {
              const uint32_t other = batch.strings.intern("[1, 5]").row;
              for (ArgRow& row : batch.args.rows)
                if (batch.strings.get(batch.args.keys[row.key].key) == "args.Process Group Ranks")
                  row.value = other;
            }),
            "refused:other_job");
}

TEST(Collectives, GroupsHaveAnyNumber) {
  for (const int64_t group : {0, 1, 2}) {
    WorldRandom random(3);
    RankWorld world = simulate(2, 300, 5e3, random);
    for (File& file : world.files)
      for (ArgRow& row : file.batch.args.rows)
        if (file.batch.strings.get(file.batch.args.keys[row.key].key) ==
            "args.Process Group Name") {
          row.type = ArgType::Int;
          row.value = group;
        }
    EXPECT_EQ(verdict(locate_files(world.files), 0), "used:") << group;
  }
}

TEST(Collectives, TwoRunsOfOneProgramAreRefused) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    WorldRandom random(seed), other(seed + 1000);
    RankWorld world = simulate(2, 300, 5e3, random), second = simulate(2, 300, 5e3, other);
    std::deque<File> files{world.files[0], second.files[1]};
    const Outcome outcome = locate_files(files);
    EXPECT_TRUE(verdict(outcome, 0).starts_with("refused:")) << verdict(outcome, 0);
    EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed");
  }
}

TEST(Collectives, WallClockTimeIsTightened) {
  WorldRandom random(4);
  RankWorld world = simulate(2, 300, 5e3, random);
  for (size_t rank = 0; rank < 2; ++rank)
    world.files[rank].wall(world.clocks[rank].at(0), W + static_cast<int64_t>(rank) * 3'000'000);
  const Outcome outcome = locate_files(world.files);
  EXPECT_EQ(verdict(outcome, 0), "used:");
  WorldErrors errors;
  errors.add(world, outcome, 1);
  EXPECT_LE(errors.worst(), 10'000);
}

TEST(Collectives, AManifestIsOnlyVerified) {
  WorldRandom random(5);
  RankWorld world = simulate(2, 300, 5e3, random);
  const Outcome outcome = locate_files(world.files, R"("files": [{"path": "rank0.json"},
      {"path": "rank1.json", "clocks": {"sync_to": {"file": "rank0.json"},
      "offset_ns": 5000000000}}])");
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(verdict(outcome, 0), "verified:");
  ASSERT_EQ(outcome.located.warnings.size(), 1U);
  EXPECT_EQ(outcome.located.warnings[0].path, "rank1.json");
}

TEST(Collectives, FilesChooseKinds) {
  WorldRandom random(7);
  RankWorld world = simulate(4, 300, 5e3, random);
  const auto rules = [&](std::string_view manifest, const LocateOptions& options = {}) {
    const Outcome outcome = locate_files(world.files, manifest, options);
    EXPECT_EQ(outcome.error, "");
    std::vector<std::string> all;
    for (const auto& clocks : outcome.located.clocks)
      all.emplace_back(outcome.located.rule(clocks[0].node));
    return all;
  };
  using Rules = std::vector<std::string>;
  const std::string_view without_1 = R"("files": [{"path": "rank1.json", "align": false}])";
  EXPECT_EQ(rules({})[1], "measured");
  EXPECT_EQ(rules(without_1), (Rules{"is_timeline", "guessed", "measured", "measured"}));
  EXPECT_EQ(rules(R"("files": [{"path": "rank1.json", "align": ["flows"]}])")[1], "guessed");
  EXPECT_EQ(rules(R"("files": [{"path": "rank1.json", "align": ["collectives"]}])")[1], "measured");
  EXPECT_EQ(rules(without_1, {.files_choose_kinds = false})[1], "measured");
  // The first file is the hub of the others, which are related without it.
  const Outcome outcome =
      locate_files(world.files, R"("files": [{"path": "rank0.json", "align": false}])");
  EXPECT_EQ(outcome.store->clock_match_sets.rows(), 2U);
  EXPECT_TRUE(outcome.located.graph.are_connected(outcome.located.clocks[1][0].node,
                                                  outcome.located.clocks[3][0].node));
}

TEST(Collectives, AClockGroupIsOneUnknown) {
  WorldRandom random(8);
  RankWorld world = simulate(3, 300, 5e3, random);
  // The third file has the clock of the second one, and no operations that the first one has.
  std::deque<File> files{world.files[0], world.files[1], File("log.json", kJson)};
  files[2].event("log", world.clocks[1].at(0));
  const Outcome outcome = locate_files(files, R"("files": [
      {"path": "rank1.json", "clock_group": "g"}, {"path": "log.json", "clock_group": "g"}])");
  const Located& located = outcome.located;
  EXPECT_EQ(located.rule(located.clocks[1][0].node), "measured");
  EXPECT_EQ(located.rule(located.clocks[2][0].node), "measured");
  EXPECT_EQ(outcome.ts.at("log"),
            located.placement.place({located.clocks[1][0].node, world.clocks[1].at(0)})->ns);
}

TEST(Collectives, InvalidOperationsMatchNothing) {
  const auto of = [](const Kernel& kernel) {
    std::deque<File> files{rank_file(0, 4), rank_file(1, 4)};
    for (File& file : files) {
      for (int i = 0; i < 20; ++i) {
        Kernel each = kernel;
        if (each.seq == 0) each.seq = i;
        each.start = i * S;
        each.end = i * S + kernel.end;
        add_kernel(file, each);
      }
    }
    return verdict(locate_files(files), 0);
  };
  EXPECT_EQ(of({.end = 1000}), "used:");
  EXPECT_EQ(of({.end = 0}), "none");
  EXPECT_EQ(of({.seq = -1, .end = 1000}), "none");
  EXPECT_EQ(of({.seq = 7, .end = 1000}), "none");  // one number for all
  EXPECT_EQ(of({.end = 1000, .elements = 0}), "none");
  EXPECT_EQ(of({.name = "broadcast", .end = 1000}), "none");
  EXPECT_EQ(of({.name = "send", .end = 1000}), "none");
  EXPECT_EQ(of({.ranks = "[2, 3]", .end = 1000}), "none");       // not its own group
  EXPECT_EQ(of({.ranks = "[0, 1, ...", .end = 1000}), "used:");  // cut
}

// Changes the args with a key in all files.
template <class Change>
void change_args(RankWorld& world, std::string_view key, Change change) {
  for (File& file : world.files) {
    EventBatch& batch = file.batch;
    for (ArgRow& row : batch.args.rows)
      if (batch.strings.get(batch.args.keys[row.key].key) == key) change(batch, row);
  }
}

TEST(Collectives, BadNumbersAndRanksMatchNothing) {
  const auto verdict_with = [](std::string_view key, const auto& change, bool is_numbered = true) {
    WorldRandom random(6);
    RankWorld world;
    world.is_numbered = is_numbered;
    simulate_ranks(world, random);
    change_args(world, key, change);
    return verdict(locate_files(world.files), 0);
  };
  const auto text = [](const std::string& value) {
    return [value](EventBatch& batch, ArgRow& row) {
      row = {batch.strings.intern(value).row, row.key, ArgType::String, row.last};
    };
  };
  EXPECT_EQ(verdict_with("args.Seq", text("17")), "none");
  EXPECT_EQ(verdict_with("args.Seq", [](EventBatch&, ArgRow& row) { row.type = ArgType::Real; }),
            "none");
  // 2^63 and more are no numbers of operations.
  EXPECT_EQ(verdict_with("args.Seq",
                         [](EventBatch&, ArgRow& row) {
                           row.type = ArgType::Uint;
                           row.value = INT64_MIN + row.value;
                         }),
            "none");
  constexpr std::string_view kRanks = "args.Process Group Ranks";
  EXPECT_EQ(verdict_with(kRanks, text("nothing")), "used:") << "equal texts are one group";
  EXPECT_EQ(verdict_with(kRanks, text("[" + std::string(10 << 20, '1') + "]")), "used:");
  EXPECT_EQ(verdict_with(kRanks, text("[7, 8]")), "none");
  EXPECT_EQ(verdict_with("args.dtype", text("Float"), false), "used:");
  EXPECT_EQ(verdict_with(kRanks, text(""), false), "none");
}

TEST(Collectives, OperationsWithoutNumbersAtOneTimeMatchNothing) {
  std::deque<File> files{rank_file(0, 4), rank_file(1, 4)};
  for (File& file : files)
    for (int i = 0; i < 5000; ++i) add_kernel(file, {.seq = std::nullopt, .start = 5, .end = 9});
  EXPECT_EQ(verdict(locate_files(files), 0), "refused:aliased");
}

}  // namespace
}  // namespace tracebraid::located_files
