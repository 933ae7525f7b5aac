// Ranks that pass the same barriers, with the true times.
#include "merge/align/barriers.h"

#include <gtest/gtest.h>

#include <string>

#include "merge/align/call_world.h"

namespace tracebraid::located_files {
namespace {

enum class Numbering : uint8_t { Generation, Mpi, None };

struct BarrierProgram {
  int count = 300;
  Numbering numbering = Numbering::Generation;
  double jitter = 20e3;  // of the ends, ns
  double lost = 0, period = 0;
  int64_t second_rank = 1, second_parties = 2;
};

void add_barriers(CallWorld& world, const BarrierProgram& program, WorldRandom& random) {
  double now = 1e6;
  const auto add = [&](size_t file, std::string_view name, double begin, double end,
                       const std::vector<CallArg>& args) {
    std::vector<CallArg> all{{"rank", file == 0 ? int64_t{0} : program.second_rank},
                             {"comm", "MPI_COMM_WORLD"},
                             {"comm_size", file == 0 ? int64_t{2} : program.second_parties}};
    all.insert(all.end(), args.begin(), args.end());
    add_call(world.files[file], name, world.clocks[file].at(begin), world.clocks[file].at(end),
             all);
  };
  for (size_t file = 0; file < 2 && program.numbering == Numbering::Mpi; ++file)
    add(file, "MPI_Init", 1e3, 2e3, {});
  for (int64_t i = 0; i < program.count; ++i) {
    now += program.period > 0 ? program.period : draw(random, 1e6, 50e6);
    const double last = now + 900e3;
    for (size_t file = 0; file < 2; ++file) {
      if (draw(random, 0, 1) < program.lost) continue;
      std::vector<CallArg> args;
      if (program.numbering == Numbering::Generation)
        args = {{"barrier", "step"}, {"generation", i}};
      add(file, program.numbering == Numbering::Generation ? "wait" : "MPI_Barrier",
          last - draw(random, 0, 900e3), last + draw(random, 1e3, program.jitter), args);
    }
  }
  for (size_t file = 0; file < 2 && program.numbering == Numbering::Mpi; ++file)
    add(file, "MPI_Finalize", now + 5e6, now + 6e6, {});
  world.span = now;
}

// Kind `barriers` alone: those of MPI are also messages of the kind `mpi`.
constexpr AlignOptions kBarriersOnly{.kinds = 1U << static_cast<uint32_t>(AlignKind::Barriers)};

CallWorld barrier_world(const BarrierProgram& program, WorldRandom& random) {
  CallWorld world = draw_calls(random, 0, 0, 1);
  add_barriers(world, program, random);
  world.finish();
  return world;
}

void expect_barriers(BarrierProgram program, WorldTable& table) {
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    program.jitter = draw(random, 2e3, 50e3);
    CallWorld world = barrier_world(program, random);
    const Outcome outcome = locate_files(world.files, {}, {.align = kBarriersOnly});
    ASSERT_EQ(outcome.error, "");
    ASSERT_EQ(verdict_of_file(outcome, 1), "barriers:used:") << seed;
    WorldErrors errors, before;
    errors.add(world, outcome, 1);
    before.add(world, without_content(world), 1);
    table.add(errors, before);
    EXPECT_LE(static_cast<double>(errors.worst()), 2 * program.jitter + 5e3) << seed;
    EXPECT_LE(static_cast<double>(errors.worst_bound()), 3 * program.jitter + 15e3) << seed;
    EXPECT_EQ(errors.inside, errors.errors.size()) << seed;
  }
}

std::string verdict_of_barriers(const BarrierProgram& program, uint64_t seed = 1) {
  WorldRandom random(seed);
  CallWorld world = barrier_world(program, random);
  return verdict_of_file(locate_files(world.files, {}, {.align = kBarriersOnly}), 1);
}

TEST(CallWorlds, BarriersWithGenerations) {
  WorldTable table("barriers: with generations, up to a quarter lost");
  expect_barriers({.lost = 0.25}, table);
}

TEST(CallWorlds, BarriersOfMpi) {
  WorldTable table("barriers: MPI_Barrier from MPI_Init to MPI_Finalize");
  expect_barriers({.numbering = Numbering::Mpi}, table);
}

TEST(CallWorlds, BarriersOfMpiInAPart) {
  WorldTable table("barriers: MPI_Barrier at irregular times, up to a tenth lost");
  expect_barriers({.numbering = Numbering::None, .lost = 0.1}, table);
}

TEST(CallWorlds, BarriersAtRegularTimesAreRefused) {
  WorldTable table("barriers: MPI_Barrier at equal intervals");
  for (const uint64_t seed : align::test_seeds()) {
    EXPECT_EQ(verdict_of_barriers({.numbering = Numbering::None, .period = 7e6}, seed),
              "barriers:refused:aliased");
    table.add_refused("aliased");
  }
}

TEST(Barriers, OfOtherJobsAreRefused) {
  EXPECT_EQ(verdict_of_barriers({}), "barriers:used:");
  EXPECT_EQ(verdict_of_barriers({.second_rank = 0}), "barriers:refused:other_job");
  EXPECT_EQ(verdict_of_barriers({.second_parties = 3}), "barriers:refused:other_job");
}

TEST(Barriers, OfTwoRunsAreRefused) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    WorldRandom random(seed), other(seed + 1000);
    CallWorld world = barrier_world({}, random), second = barrier_world({}, other);
    std::deque<File> files{world.files[0], second.files[1]};
    EXPECT_TRUE(refused_calls(files).starts_with("barriers:refused:")) << seed;
  }
}

TEST(Barriers, WithoutRanksOrNamesMatchNothing) {
  const auto verdict_with = [](std::string_view name, const std::vector<CallArg>& args) {
    WorldRandom random(3);
    CallWorld world = draw_calls(random, 0, 0, 1);
    for (int64_t i = 0; i < 100; ++i)
      for (size_t file = 0; file < 2; ++file) {
        std::vector<CallArg> own = args;
        own.emplace_back("generation", i);
        own.emplace_back("rank", static_cast<int64_t>(file));
        add_call(world.files[file], name, i * S, i * S + 1000, own);
      }
    return verdict_of_file(locate_files(world.files), 1);
  };
  EXPECT_EQ(verdict_with("wait", {{"barrier", "b"}, {"parties", int64_t{2}}}), "barriers:used:");
  EXPECT_EQ(verdict_with("wait", {{"barrier", "b"}}), "barriers:refused:other_job");
  EXPECT_EQ(verdict_with("barrier", {{"parties", int64_t{2}}}), "none");
  EXPECT_EQ(verdict_with("MPI_Barrier", {{"comm", "rows"}, {"comm_size", "x"}}), "none");
}

}  // namespace
}  // namespace tracebraid::located_files
