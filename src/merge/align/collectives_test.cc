#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <random>
#include <string>

#include "event/event_kind.h"
#include "merge/locate/test_files.h"

namespace tracebraid::located_files {
namespace {

using Random = std::mt19937_64;

double uniform(Random& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

void add_metadata(File& file, std::string_view key, int64_t value) {
  file.batch.metadata.push_back({.key = file.batch.strings.intern(key), .value = value});
}

File rank_file(int rank, int world_size) {
  File file("rank" + std::to_string(rank) + ".json", kJson);
  add_metadata(file, "json_distributedInfo.rank", rank);
  add_metadata(file, "json_distributedInfo.world_size", world_size);
  return file;
}

struct Kernel {
  std::string_view name = "allreduce", ranks = "[0, 1, 2, 3]";
  int64_t seq = 0, start = 0, end = 0, elements = 1024;
};

void add_arg(EventBatch& batch, std::string_view name, ArgType type, int64_t value, bool is_last) {
  const StringId key = batch.strings.intern("args." + std::string(name));
  const ArgKey wanted{.flat_key = key, .key = key};
  auto at = std::ranges::find(batch.args.keys, wanted);
  if (at == batch.args.keys.end()) at = batch.args.keys.insert(at, wanted);
  batch.args.rows.push_back(
      {value, static_cast<uint32_t>(at - batch.args.keys.begin()), type, is_last});
}

void add_kernel(File& file, const Kernel& kernel) {
  EventBatch& batch = file.batch;
  file.event("ncclDevKernel", kernel.start);
  Event& event = batch.streams[0].events.back();
  event.kind = static_cast<uint8_t>(EventKind::Slice);
  event.category = batch.strings.intern("kernel");
  event.value = kernel.end - kernel.start;
  event.args = static_cast<uint32_t>(batch.args.rows.size());
  const auto text = [&](std::string_view name, std::string_view value) {
    add_arg(batch, name, ArgType::String, batch.strings.intern(value).row, false);
  };
  text("Collective name", kernel.name);
  text("Process Group Name", "0");
  text("Process Group Ranks", kernel.ranks);
  add_arg(batch, "In msg nelems", ArgType::Int, kernel.elements, false);
  add_arg(batch, "Out msg nelems", ArgType::Int, kernel.elements, false);
  add_arg(batch, "Seq", ArgType::Int, kernel.seq, true);
}

// What one clock shows at a true time.
struct Clock {
  double offset = 0, rate = 0;
  int64_t at(double truth) const { return std::llround(truth + offset + rate * truth); }
};

struct World {
  std::deque<File> files;
  std::vector<Clock> clocks;
  double span = 0;
};

// Ranks that run `count` operations, whose ends jitter by up to `jitter` ns.
World simulate(int ranks, int count, double jitter, Random& random) {
  World world;
  std::string group = "[0";
  for (int rank = 1; rank < ranks; ++rank) group += ", " + std::to_string(rank);
  group += "]";
  for (int rank = 0; rank < ranks; ++rank) {
    world.files.push_back(rank_file(rank, ranks));
    world.clocks.push_back({uniform(random, -1e9, 1e9), uniform(random, -5e-5, 5e-5)});
  }
  double now = 2e9;
  for (int i = 0; i < count; ++i) {
    now += uniform(random, 1e6, 20e6);
    const double end = now + uniform(random, 50e3, 500e3);
    for (size_t rank = 0; rank < world.files.size(); ++rank) {
      const Clock& clock = world.clocks[rank];
      add_kernel(world.files[rank], {.ranks = group,
                                     .seq = i,
                                     .start = clock.at(now - uniform(random, 0, 900e3)),
                                     .end = clock.at(end + uniform(random, 0, jitter))});
    }
  }
  world.span = now;
  for (size_t rank = 0; rank < world.files.size(); ++rank)
    for (int i = 0; i <= 20; ++i)
      world.files[rank].event("e" + std::to_string(rank) + "." + std::to_string(i),
                              world.clocks[rank].at(now * i / 20));
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

TEST(Collectives, RanksWithNumberedOperationsArePlaced) {
  Random random(1);
  size_t inside = 0, all = 0;
  for (int round = 0; round < 6; ++round) {
    const double jitter = uniform(random, 2e3, 50e3);
    World world = simulate(2 + round, 200 + round * 100, jitter, random);
    const Outcome outcome = locate_files(world.files);
    ASSERT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.store->clock_match_sets.rows(), world.files.size() - 1);
    for (size_t rank = 1; rank < world.files.size(); ++rank) {
      EXPECT_EQ(verdict(outcome, rank - 1), "used:");
      const ClockPlace& place = outcome.located.clocks[rank][0];
      EXPECT_EQ(outcome.located.rule(place.node), "measured");
      const int64_t bound = outcome.located.placement.node(place.node).uncertainty_ns;
      EXPECT_LE(static_cast<double>(bound), 3 * jitter + 15e3);
      for (int i = 2; i <= 20; ++i) {
        const std::string name = "e" + std::to_string(rank) + "." + std::to_string(i);
        const int64_t truth = world.clocks[0].at(world.span * i / 20);
        const int64_t error = std::abs(outcome.ts.at(name) - truth);
        EXPECT_LE(static_cast<double>(error), 2 * jitter + 5e3) << name;
        ++all;
        inside += error <= bound ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(inside, all);
}

TEST(Collectives, OffUsesNothingAndVerifyPlacesNothing) {
  Random random(2);
  World world = simulate(2, 300, 5e3, random);
  Outcome outcome = locate_files(world.files, {}, {.align = {.kinds = 0}});
  EXPECT_EQ(verdict(outcome, 0), "none");
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed");
  outcome = locate_files(world.files, {}, {.align = {.places = false}});
  EXPECT_EQ(verdict(outcome, 0), "verified:");
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed");
}

TEST(Collectives, AnotherJobIsRefused) {
  const auto of = [](const auto& change) {
    Random random(3);
    World world = simulate(2, 300, 5e3, random);
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

TEST(Collectives, TwoRunsOfOneProgramAreRefused) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed), other(seed + 1000);
    World world = simulate(2, 300, 5e3, random), second = simulate(2, 300, 5e3, other);
    std::deque<File> files{world.files[0], second.files[1]};
    const Outcome outcome = locate_files(files);
    EXPECT_TRUE(verdict(outcome, 0).starts_with("refused:")) << verdict(outcome, 0);
    EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed");
  }
}

TEST(Collectives, WallClockTimeIsTightened) {
  Random random(4);
  World world = simulate(2, 300, 5e3, random);
  for (size_t rank = 0; rank < 2; ++rank)
    world.files[rank].wall(world.clocks[rank].at(0), W + static_cast<int64_t>(rank) * 3'000'000);
  const Outcome outcome = locate_files(world.files);
  EXPECT_EQ(verdict(outcome, 0), "used:");
  EXPECT_NEAR(static_cast<double>(outcome.ts.at("e1.10")),
              static_cast<double>(world.clocks[0].at(world.span / 2)), 10e3);
}

TEST(Collectives, AManifestIsOnlyVerified) {
  Random random(5);
  World world = simulate(2, 300, 5e3, random);
  const Outcome outcome = locate_files(world.files, R"("files": [{"path": "rank0.json"},
      {"path": "rank1.json", "clocks": {"sync_to": {"file": "rank0.json"},
      "offset_ns": 5000000000}}])");
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(verdict(outcome, 0), "verified:");
  ASSERT_EQ(outcome.located.warnings.size(), 1U);
  EXPECT_EQ(outcome.located.warnings[0].path, "rank1.json");
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

}  // namespace
}  // namespace tracebraid::located_files
