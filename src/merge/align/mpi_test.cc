// Ranks of MPI that exchange messages, with the true times.
#include "merge/align/mpi.h"

#include <gtest/gtest.h>

#include <string>

#include "merge/align/call_world.h"

namespace tracebraid::located_files {
namespace {

struct MpiProgram {
  int steps = 300;
  double step = 20e6, noise = 0.3;  // of the computation between messages, ns and share
  bool is_whole = true;             // the files have MPI_Init and MPI_Finalize
  size_t drop = 0;                  // messages of tag 1 that the second file lacks
  std::string comm = "MPI_COMM_WORLD";
};

// Ranks 0 and 1 compute, exchange messages of two tags, and meet in a collective every tenth step.
// `only`: of that file; 2: of both.
void add_mpi(CallWorld& world, const MpiProgram& program, WorldRandom& random, size_t only = 2) {
  double now[2] = {1e6, 1e6};
  size_t dropped = 0;
  const auto add = [&](size_t rank, std::string_view name, double begin, double end,
                       const std::vector<CallArg>& args) {
    if (only != 2 && only != rank) return;
    const bool has_tag_1 = args.size() == 3 && args[1].second == CallArg::second_type(int64_t{1});
    if (rank == 1 && name == "MPI_Recv" && has_tag_1 && dropped < program.drop) {
      ++dropped;
      return;
    }
    std::vector<CallArg> all{{"comm", program.comm}, {"rank", static_cast<int64_t>(rank)}};
    all.insert(all.end(), args.begin(), args.end());
    add_call(world.files[rank], name, world.clocks[rank].at(begin), world.clocks[rank].at(end),
             all);
  };
  const auto both = [&](std::string_view name) {
    for (size_t rank = 0; rank < 2; ++rank) {
      add(rank, name, now[rank], now[rank] + 1e5, {});
      now[rank] += 2e5;
    }
  };
  if (program.is_whole) both("MPI_Init");
  for (int i = 0; i < program.steps; ++i) {
    for (double& at : now) at += program.step * (1 + program.noise * draw(random, -1, 1));
    const int64_t bytes = 8 << (random() % 10), tag = static_cast<int64_t>(random() % 2);
    double sent[2];
    for (size_t rank = 0; rank < 2; ++rank) {
      sent[rank] = now[rank];
      add(rank, "MPI_Send", now[rank], now[rank] + 5e3,
          {{"dest", static_cast<int64_t>(1 - rank)}, {"tag", tag}, {"bytes", bytes}});
      now[rank] += 6e3;
    }
    for (size_t rank = 0; rank < 2; ++rank) {
      const double arrived = sent[1 - rank] + world.takes(1 - rank, random);
      const double end = std::max(now[rank] + 1e3, arrived);
      add(rank, "MPI_Recv", now[rank], end,
          {{"source", static_cast<int64_t>(1 - rank)}, {"tag", tag}, {"bytes", bytes}});
      now[rank] = end + 1e3;
    }
    if (i % 10 != 9) continue;
    const double start[2] = {now[0], now[1]};
    for (size_t rank = 0; rank < 2; ++rank) {
      now[rank] = std::max(start[rank], start[1 - rank] + world.takes(1 - rank, random)) + 1e3;
      add(rank, "MPI_Allreduce", start[rank], now[rank], {{"count", int64_t{4}}});
    }
  }
  if (program.is_whole) both("MPI_Finalize");
  world.span = now[0];
}

void expect_mpi(const MpiProgram& program, WorldTable& table) {
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    CallWorld world = draw_calls(random, 2e3, 50e3, 5e3);
    add_mpi(world, program, random);
    world.finish();
    expect_calls(world, "mpi", 15e3, 25e3, seed, table);
  }
}

TEST(CallWorlds, MpiFromInitToFinalize) {
  WorldTable table("mpi: messages and collectives of two ranks");
  expect_mpi({}, table);
}

TEST(CallWorlds, MpiWithEqualSteps) {
  WorldTable table("mpi: equal steps, from MPI_Init to MPI_Finalize");
  expect_mpi({.noise = 1e-6}, table);
}

TEST(CallWorlds, MpiWithIrregularStepsInAPart) {
  WorldTable table("mpi: a part of a program with irregular steps");
  expect_mpi({.is_whole = false}, table);
}

TEST(CallWorlds, MpiWithEqualStepsInAPartIsRefused) {
  WorldTable table("mpi: a part of a program with equal steps");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    CallWorld world = draw_calls(random, 2e3, 50e3, 5e3);
    add_mpi(world, {.noise = 1e-6, .is_whole = false}, random);
    EXPECT_EQ(refused_calls(world.files), "mpi:refused:aliased") << seed;
    table.add_refused("aliased");
  }
}

TEST(CallWorlds, MpiOfTwoRunsIsRefused) {
  WorldTable table("mpi: ranks of two runs, noise of 0.1 to 30 % of each step");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    CallWorld world = draw_calls(random, 2e3, 50e3, 5e3);
    const MpiProgram program{.noise = std::pow(10, draw(random, -3, -0.5))};
    // Messages have one size in both runs.
    add_mpi(world, program, random, 0);
    add_mpi(world, program, random, 1);
    expect_refused(world, "mpi", seed, table, true);
  }
}

TEST(Mpi, LostMessagesMatchNothingOfTheirChannel) {
  WorldRandom random(1);
  CallWorld world = draw_calls(random, 2e3, 50e3, 5e3);
  add_mpi(world, {.drop = 3}, random);
  const Outcome outcome = locate_files(world.files);
  const ClockMatchSetTable& sets = outcome.store->clock_match_sets;
  ASSERT_EQ(sets.rows(), 1U);
  // Those of tag 0, of the other way, and two limits of each collective are left.
  EXPECT_LT(sets.candidates[0], 300 + 200 + 2 * 30);
  EXPECT_GT(sets.candidates[0], 300 + 100 + 2 * 30);
  EXPECT_EQ(verdict_of_file(outcome, 1), "mpi:used:");
}

TEST(Mpi, RanksOfOtherJobsAndCommunicatorsAreRefused) {
  const auto verdict_with = [](const MpiProgram& program, const auto& change) {
    WorldRandom random(2);
    CallWorld world = draw_calls(random, 2e3, 50e3, 5e3);
    add_mpi(world, program, random);
    change(world);
    return verdict_of_file(locate_files(world.files), 1);
  };
  const auto nothing = [](CallWorld&) {};
  EXPECT_EQ(verdict_with({}, nothing), "mpi:used:");
  EXPECT_EQ(verdict_with({.comm = "rows"}, nothing), "none");
  EXPECT_EQ(verdict_with({},
                         [](CallWorld& world) {
                           add_metadata(world.files[0], "json_distributedInfo.world_size", 2);
                           add_metadata(world.files[1], "json_distributedInfo.world_size", 4);
                         }),
            "mpi:refused:other_job");
  EXPECT_EQ(verdict_with({},
                         [](CallWorld& world) {
                           // The second file has two ranks.
                           add_call(world.files[1], "MPI_Barrier", 5, 6,
                                    {{"comm", "MPI_COMM_WORLD"}, {"rank", int64_t{7}}});
                         }),
            "none");
}

TEST(Mpi, BadArgsMatchNothing) {
  WorldRandom random(3);
  CallWorld world = draw_calls(random, 2e3, 50e3, 5e3);
  for (int64_t i = 0; i < 200; ++i)
    for (size_t file = 0; file < 2; ++file) {
      const auto rank = static_cast<int64_t>(file);
      const auto add = [&](std::string_view name, std::vector<CallArg> args) {
        args.emplace_back("comm", "world");
        args.emplace_back("rank", rank);
        add_call(world.files[file], name, i * 10, i * 10 + 5, args);
      };
      add("MPI_Send", {{"dest", rank}});                    // to itself
      add("MPI_Send", {{"dest", int64_t{-2}}});             // to nobody
      add("MPI_Recv", {{"source", "any"}});                 // from anybody
      add("MPI_Send", {{"dest", "99999999999999999999"}});  // no number
      add("MPI_Bcast", {{"count", int64_t{1}}});
      add("MPI_", {});
    }
  EXPECT_EQ(refused_calls(world.files), "none");
}

}  // namespace
}  // namespace tracebraid::located_files
