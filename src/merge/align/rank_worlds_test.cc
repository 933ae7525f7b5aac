// Worlds A1 to A4 of spec alignment 13: collectives of ranks, with the true times.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "merge/align/rank_world.h"
#include "merge/align/test_seeds.h"

namespace tracebraid::located_files {
namespace {

// Expects that a file is placed as world A1 requires.
void expect_rank_placed(RankWorld& world, const Outcome& outcome, size_t rank, uint64_t seed,
                        const WorldErrors& errors) {
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[rank][0].node), "measured") << seed;
  EXPECT_LE(static_cast<double>(errors.median()), world.jitter / 2) << seed;
  EXPECT_LE(static_cast<double>(errors.p99()), 2 * world.jitter + 5e3) << seed;
  EXPECT_LE(static_cast<double>(errors.worst_bound()), 3 * world.jitter + 15e3) << seed;
  EXPECT_EQ(errors.inside, errors.errors.size()) << seed << " rank " << rank;
}

WorldErrors errors_of_rank(const RankWorld& world, const Outcome& outcome, size_t rank) {
  WorldErrors errors;
  errors.add(world, outcome, rank);
  return errors;
}

RankWorld draw_ranks(WorldRandom& random, int most_ranks) {
  RankWorld world;
  world.ranks = static_cast<int>(std::exp2(draw(random, 1, std::log2(most_ranks) + 0.01)));
  world.operations = static_cast<int>(draw(random, 200, world.ranks > 16 ? 1000 : 5000));
  world.jitter = draw(random, 2e3, 50e3);
  return world;
}

TEST(RankWorlds, A1NumberedOperations) {
  WorldTable table("A1: 2 to 64 ranks with numbered operations");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    RankWorld world = draw_ranks(random, 64);
    simulate_ranks(world, random);
    const Outcome outcome = locate_files(world.files), before = without_content(world);
    ASSERT_EQ(outcome.error, "");
    for (size_t rank = 1; rank < world.files.size(); ++rank) {
      ASSERT_EQ(verdict_of_file(outcome, rank), "collectives:used:") << seed << " rank " << rank;
      const WorldErrors errors = errors_of_rank(world, outcome, rank);
      table.add(errors, errors_of_rank(world, before, rank));
      expect_rank_placed(world, outcome, rank, seed, errors);
    }
  }
}

TEST(RankWorlds, A2WithoutNumbers) {
  WorldTable table("A2: ranks without numbers, wall clocks within 8 ms");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    RankWorld world = draw_ranks(random, 16);
    world.is_numbered = false;
    world.cut = 0.15;
    world.lost = 0.25;
    world.wall_error = 8e6;
    simulate_ranks(world, random);
    const Outcome outcome = locate_files(world.files), before = without_content(world);
    ASSERT_EQ(outcome.error, "");
    for (size_t rank = 1; rank < world.files.size(); ++rank) {
      const std::string verdict = verdict_of_file(outcome, rank);
      if (verdict != "collectives:used:") {
        table.add_refused(verdict.substr(verdict.rfind(':') + 1));
        continue;
      }
      const WorldErrors errors = errors_of_rank(world, outcome, rank);
      table.add(errors, errors_of_rank(world, before, rank));
      expect_rank_placed(world, outcome, rank, seed, errors);
      EXPECT_LE(static_cast<double>(errors.worst()), 10 * world.jitter) << seed;
    }
  }
  EXPECT_LE(table.refused() * 2, table.files());
}

TEST(RankWorlds, A3EqualStepsAreAliased) {
  WorldTable table("A3: equal steps without numbers and wall clocks");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    RankWorld world = draw_ranks(random, 8);
    world.is_numbered = false;
    world.cut = 0.15;
    world.lost = 0.25;
    world.period = draw(random, 30e6, 500e6);
    simulate_ranks(world, random);
    const Outcome outcome = locate_files(world.files);
    ASSERT_EQ(outcome.error, "");
    const ClockMatchSetTable& sets = outcome.store->clock_match_sets;
    ASSERT_EQ(sets.rows(), world.files.size() - 1) << seed;
    for (size_t rank = 1; rank < world.files.size(); ++rank) {
      ASSERT_EQ(verdict_of_file(outcome, rank), "collectives:refused:aliased") << seed;
      EXPECT_EQ(outcome.located.rule(outcome.located.clocks[rank][0].node), "guessed") << seed;
      EXPECT_NEAR(static_cast<double>(sets.alias_period_ns[rank - 1].value), world.period,
                  world.period / 100)
          << seed;
      table.add_refused("aliased");
    }
  }
}

// Rank 0 of one run of a job, and ranks of another run with the same operations.
TEST(RankWorlds, AnotherRunWithoutNumbersIsRefused) {
  for (const uint64_t seed : align::test_seeds(30)) {
    WorldRandom random(seed);
    RankWorld world = draw_ranks(random, 4);
    world.operations = static_cast<int>(draw(random, 200, 1500));
    world.is_numbered = false;
    world.lost = 0.1;
    world.other_run = std::pow(10.0, draw(random, -3.5, -1));
    simulate_ranks(world, random);
    const Outcome outcome = locate_files(world.files);
    EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed")
        << seed << " noise " << world.other_run;
  }
}

// Puts a rank of another job among the files, at any place.
void add_stranger(RankWorld& world, WorldRandom& random) {
  RankWorld other;
  other.ranks = random() % 2 == 0 ? world.ranks : world.ranks + 2;
  other.operations = world.operations;
  simulate_ranks(other, random);
  File& file = other.files[static_cast<size_t>(random()) % other.files.size()];
  file.name = "other.json";
  std::erase_if(file.batch.streams[0].events,  // probes have equal names in all worlds
                [](const Event& event) { return event.what() == EventKind::Counter; });
  if (other.ranks == world.ranks) {  // of the same size, but its group has other ranks
    EventBatch& batch = file.batch;
    const uint32_t ranks = batch.strings.intern("[0, 1, 2, 3, 99]").row;
    for (ArgRow& row : batch.args.rows)
      if (batch.strings.get(batch.args.keys[row.key].key) == "args.Process Group Ranks")
        row.value = ranks;
  }
  world.files.push_back(file);
}

TEST(RankWorlds, A4ARankOfAnotherJob) {
  WorldTable table("A4: a rank of another job");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    RankWorld world;
    world.ranks = 4;
    simulate_ranks(world, random);
    add_stranger(world, random);
    // Only the last file is not of the job, then only the first one.
    for (const bool is_first : {false, true}) {
      std::deque<File> files;
      if (is_first) files.push_back(world.files.back());
      for (size_t rank = 0; rank < 4; ++rank) files.push_back(world.files[rank]);
      if (!is_first) files.push_back(world.files.back());
      const Outcome outcome = locate_files(files);
      ASSERT_EQ(outcome.error, "");
      const size_t first = is_first ? 1 : 0, stranger = is_first ? 0 : 4;
      for (size_t rank = 1; rank < 4; ++rank) {
        EXPECT_EQ(verdict_of_file(outcome, first + rank), "collectives:used:") << seed;
        for (int k = 0; k <= AlignWorld::kProbes; ++k) {
          const int64_t apart = outcome.ts.at(fmt::format("probe{}.{}", rank, k)) -
                                outcome.ts.at(fmt::format("probe0.{}", k));
          EXPECT_LE(std::abs(apart), 2 * std::llround(world.jitter) + 5'000) << seed;
        }
      }
      size_t refused = 0;
      const ClockMatchSetTable& sets = outcome.store->clock_match_sets;
      for (size_t row = 0; row < sets.rows(); ++row) {
        if (sets.trace_a[row] != stranger + 1 && sets.trace_b[row] != stranger + 1) continue;
        EXPECT_EQ(outcome.store->strings.get(sets.reason[row]), "other_job") << seed;
        ++refused;
      }
      EXPECT_GT(refused, 0U) << seed;
      table.add_refused("other_job");
      if (!is_first)
        EXPECT_EQ(outcome.located.rule(outcome.located.clocks[4][0].node), "guessed") << seed;
    }
  }
}

}  // namespace
}  // namespace tracebraid::located_files
