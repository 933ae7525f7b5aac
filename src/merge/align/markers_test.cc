#include "merge/align/markers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <string>

#include "clock/error_bounds.h"
#include "event/event_kind.h"
#include "merge/align/test_seeds.h"
#include "merge/locate/test_files.h"

namespace tracebraid::located_files {
namespace {

using MarkerRandom = std::mt19937_64;

double real_between(MarkerRandom& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

// Adds an instant with one arg.
void add_marker(File& file, std::string_view name, std::string_view key, std::string_view id,
                int64_t ticks) {
  file.event(name, ticks);
  EventBatch& batch = file.batch;
  Event& event = batch.streams[0].events.back();
  event.kind = static_cast<uint8_t>(EventKind::Instant);
  event.args = static_cast<uint32_t>(batch.args.rows.size());
  batch.args.keys.push_back({batch.strings.intern(key), batch.strings.intern(key)});
  batch.args.rows.push_back({.value = batch.strings.intern(id).row,
                             .key = static_cast<uint32_t>(batch.args.keys.size() - 1),
                             .type = ArgType::String,
                             .last = true});
}

// Files that noted the same moments, each up to 3 us late.
struct MarkerWorld {
  std::deque<File> files;
  std::vector<double> offsets, rates;  // of the clocks
  double span = 60e9;                  // ns

  int64_t reading(size_t file, double truth) const {
    return std::llround(truth + offsets[file] + rates[file] * truth);
  }
};

MarkerWorld marked_world(MarkerRandom& random, int markers, size_t files = 2) {
  MarkerWorld world;
  for (size_t file = 0; file < files; ++file) {
    world.files.emplace_back(std::string(1, static_cast<char>('a' + file)) + ".json", kJson);
    world.offsets.push_back(real_between(random, 0, 1e12));
    world.rates.push_back(real_between(random, -5e-5, 5e-5));
    for (int i = 0; i <= 20; ++i)
      world.files[file].event("e" + std::to_string(file) + "." + std::to_string(i),
                              world.reading(file, world.span * i / 20));
  }
  for (int i = 0; i < markers; ++i) {
    const double truth = world.span * (i + real_between(random, 0, 1)) / markers;
    for (size_t file = 0; file < files; ++file)
      add_marker(world.files[file], file == 0 ? "tracebraid.sync" : "clock_sync",
                 file == 0 ? "args.id" : "debug.sync_id", "run-" + std::to_string(i),
                 world.reading(file, truth + real_between(random, 0, 3e3)));
  }
  return world;
}

// Returns "verdict:reason" of each set.
std::vector<std::string> verdicts_of(const Outcome& outcome) {
  const ClockMatchSetTable& sets = outcome.store->clock_match_sets;
  std::vector<std::string> verdicts;
  for (size_t row = 0; row < sets.rows(); ++row) {
    EXPECT_EQ(outcome.store->strings.get(sets.kind[row]), "markers");
    verdicts.push_back(
        std::string(outcome.store->strings.get(sets.verdict[row])) + ":" +
        (sets.reason[row] ? std::string(outcome.store->strings.get(sets.reason[row])) : ""));
  }
  return verdicts;
}

TEST(Markers, PlaceFilesWithinMicroseconds) {
  for (const uint64_t seed : align::test_seeds()) {
    MarkerRandom random(seed);
    MarkerWorld world = marked_world(random, 40, 3);
    const Outcome outcome = locate_files(world.files);
    ASSERT_EQ(verdicts_of(outcome), (std::vector<std::string>{"used:", "used:"})) << seed;
    ErrorBounds bounds(outcome.located.graph, outcome.located.placement);
    for (size_t file = 1; file < 3; ++file) {
      const ClockId clock = outcome.located.clocks[file][0].node;
      EXPECT_EQ(outcome.located.rule(clock), "measured");
      for (int i = 0; i <= 20; ++i) {
        const double truth = world.span * i / 20;
        const int64_t ts = outcome.ts.at("e" + std::to_string(file) + "." + std::to_string(i));
        const int64_t error = std::abs(ts - world.reading(0, truth));
        const int64_t bound = bounds.at(clock, world.reading(file, truth));
        EXPECT_LE(error, 5'000) << seed;
        EXPECT_LE(error, bound) << seed;
        EXPECT_LE(bound, 20'000) << seed;
      }
    }
  }
}

TEST(Markers, ThatAreRepeatedInAFileMatchNothing) {
  MarkerRandom random(1);
  MarkerWorld world = marked_world(random, 10);
  for (int i = 0; i < 8; ++i)
    add_marker(world.files[0], "clock_sync", "args.id", "run-" + std::to_string(i), 5 + i);
  EXPECT_EQ(verdicts_of(locate_files(world.files)), std::vector<std::string>{"refused:too_few"});
}

TEST(Markers, AFewAreEnough) {
  MarkerRandom random(2);
  MarkerWorld two = marked_world(random, 2), three = marked_world(random, 3),
              eight = marked_world(random, 8);
  EXPECT_EQ(verdicts_of(locate_files(two.files)), std::vector<std::string>{"refused:too_few"});
  EXPECT_EQ(verdicts_of(locate_files(three.files)),
            std::vector<std::string>{"refused:inconsistent"})
      << "one residual does not show the spread";
  EXPECT_EQ(verdicts_of(locate_files(eight.files)), std::vector<std::string>{"used:"});
}

TEST(Markers, InAnotherOrderOrAtOtherMomentsAreRefused) {
  MarkerRandom random(3);
  MarkerWorld world = marked_world(random, 0);
  for (int i = 0; i < 20; ++i) {
    add_marker(world.files[0], "clock_sync", "id", std::to_string(i), i * S);
    add_marker(world.files[1], "clock_sync", "id", std::to_string(i), (20 - i) * S);
  }
  EXPECT_EQ(verdicts_of(locate_files(world.files)),
            std::vector<std::string>{"refused:out_of_order"});
  MarkerWorld runs = marked_world(random, 0);
  for (int i = 0; i < 20; ++i) {
    for (File& file : runs.files)
      add_marker(file, "clock_sync", "id", std::to_string(i),
                 i * S + std::llround(real_between(random, 0, 5e7)));
  }
  const std::vector<std::string> of_runs = verdicts_of(locate_files(runs.files));
  ASSERT_EQ(of_runs.size(), 1U);
  EXPECT_TRUE(of_runs[0] == "refused:inconsistent" || of_runs[0] == "refused:rate") << of_runs[0];
}

TEST(Markers, OtherNamesAndArgsAreNone) {
  MarkerRandom random(4);
  MarkerWorld world = marked_world(random, 0);
  for (int i = 0; i < 20; ++i) {
    for (File& file : world.files) {
      add_marker(file, "tracebraid.sync", "args.identity", std::to_string(i), i * S);
      add_marker(file, "tracebraid.syncs", "args.id", std::to_string(i), i * S);
      add_marker(file, "tracebraid.sync", "args.id", "", i * S);
    }
  }
  EXPECT_TRUE(verdicts_of(locate_files(world.files)).empty());
}

TEST(Markers, OfUuidsAreNoChance) {
  const auto class_of = [](std::string_view id) {
    MarkerRandom random(7);
    MarkerWorld world = marked_world(random, 0);
    for (int i = 10; i < 30; ++i)
      for (File& file : world.files)
        add_marker(file, "clock_sync", "id", std::string(id) + std::to_string(i),
                   i * S + std::llround(real_between(random, 0, 3e3)));
    const Outcome outcome = locate_files(world.files);
    EXPECT_EQ(verdicts_of(outcome), std::vector<std::string>{"used:"}) << id;
    return std::string(outcome.store->strings.get(outcome.store->clock_match_sets.match_class[0]));
  };
  EXPECT_EQ(class_of("0f8fad5b-d9cb-469f-a165-7086787211"), "id");
  EXPECT_EQ(class_of("run "), "counted");
}

TEST(Markers, AreSwitchedOff) {
  MarkerRandom random(5);
  MarkerWorld world = marked_world(random, 10);
  EXPECT_TRUE(verdicts_of(locate_files(world.files, {}, {.align = *parse_align("flows")})).empty());
  EXPECT_EQ(verdicts_of(locate_files(world.files, {}, {.align = *parse_align("verify")})),
            std::vector<std::string>{"verified:"});
  EXPECT_EQ(verdicts_of(locate_files(world.files, {}, {.align = *parse_align("markers")})),
            std::vector<std::string>{"used:"});
}

TEST(Markers, AtBothEndsOf64BitsAreDropped) {
  MarkerRandom random(6);
  MarkerWorld world = marked_world(random, 30);
  for (size_t file = 0; file < 2; ++file) {
    add_marker(world.files[file], "clock_sync", "id", "first", INT64_MIN + 1);
    add_marker(world.files[1 - file], "clock_sync", "id", "last", INT64_MAX);
  }
  const Outcome outcome = locate_files(world.files);
  EXPECT_EQ(outcome.error, "");
}

}  // namespace
}  // namespace tracebraid::located_files
