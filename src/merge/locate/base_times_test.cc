#include "merge/locate/base_times.h"

#include <gtest/gtest.h>

#include <random>

#include "clock/error_bounds.h"
#include "merge/align/test_seeds.h"
#include "merge/locate/test_files.h"

namespace tracebraid::located_files {
namespace {

constexpr int64_t kUs = 1000, kMs = 1'000'000;
constexpr int64_t kLongAgo = 52 * 86'400 * S;  // from the base time to the events
constexpr std::string_view kTwoHosts =
    R"("files": [{"path": "a.json", "machine": {"name": "one"}},
                 {"path": "b.json", "machine": {"name": "one"}},
                 {"path": "c.json", "machine": {"name": "two"}}])";

// Returns the bound of an event of the file's clock.
int64_t bound_of(const Outcome& outcome, size_t file, int64_t reading) {
  ErrorBounds bounds(outcome.located.graph, outcome.located.placement);
  return bounds.at(outcome.located.clocks[file][0].node, reading);
}

File counting_since(const std::string& name, int64_t base) {
  File file(name + ".json", kJson);
  file.event(name, kLongAgo).event(name + "'", kLongAgo + 60 * S).base_time(base);
  return file;
}

// World A20 of spec alignment 13.
TEST(BaseTimes, A20TruthLiesInABoundOfMicroseconds) {
  constexpr int kEvents = 200;
  for (const uint64_t seed : align::test_seeds()) {
    std::mt19937_64 random(seed);
    const auto between = [&](int64_t low, int64_t high) {
      return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
    };
    // Wall clocks of two hosts, at most 10 ms apart; each file has another base.
    const int64_t host_error[] = {between(-5 * kMs, 5 * kMs), between(-5 * kMs, 5 * kMs)};
    std::deque<File> files{File("a.json", kJson), File("b.json", kJson), File("c.json", kJson)};
    int64_t bases[3];
    std::vector<int64_t> readings[3], truths[3];
    for (size_t file = 0; file < 3; ++file) {
      bases[file] = W - between(40 * 86'400 * S, 60 * 86'400 * S);
      files[file].base_time(bases[file]);
      const int64_t late = between(-8 * kUs, 8 * kUs);  // the writer's conversion
      for (int i = 0; i < kEvents; ++i) {
        const int64_t truth = W + between(0, 60 * S);
        const int64_t reading = truth + host_error[file / 2] + late - bases[file];
        readings[file].push_back(reading);
        truths[file].push_back(truth + host_error[0] - bases[0]);
        files[file].event(std::to_string(file) + "." + std::to_string(i), reading);
      }
    }
    const Outcome outcome = locate_files(files, kTwoHosts);
    for (size_t file = 1; file < 3; ++file) {
      for (size_t i = 0; i < kEvents; ++i) {
        const int64_t ts = outcome.ts.at(std::to_string(file) + "." + std::to_string(i));
        const int64_t bound = bound_of(outcome, file, readings[file][i]);
        EXPECT_LE(std::abs(ts - truths[file][i]), bound) << seed;
        EXPECT_LE(bound, file == 1 ? 25 * kUs : 10'100 * kUs) << seed;
      }
    }
  }
}

TEST(BaseTimes, FilesOfOneHostDifferByTheirBases) {
  std::deque<File> files{counting_since("a", W), counting_since("b", W + 7 * S)};
  const Outcome outcome =
      locate_files(files, R"("files": [{"path": "a.json", "machine": {"name": "one"}},
                          {"path": "b.json", "machine": {"name": "one"}}])");
  EXPECT_EQ(outcome.ts.at("b"), kLongAgo + 7 * S);
  EXPECT_EQ(bound_of(outcome, 1, kLongAgo), 20 * kUs);
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "rendezvous");
}

TEST(BaseTimes, NothingShowsThatFilesWithoutAMachineAreOfOneHost) {
  std::deque<File> files{counting_since("a", W), counting_since("b", W + 7 * S)};
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.ts.at("b"), kLongAgo + 7 * S);
  EXPECT_EQ(bound_of(outcome, 1, kLongAgo), 10 * kMs + 20 * kUs);
  EXPECT_EQ(bound_of(outcome, 1, kLongAgo + 60 * S), 10 * kMs + 20 * kUs);
}

// The wall clock that another file read may be that of another host.
TEST(BaseTimes, AreOfTheHostOfAnotherFileWithinTheRendezvousBound) {
  for (const bool proto_first : {false, true}) {
    File proto("p.pb", kProto);
    proto.snap({{B, 100 * S}, {R, W + kLongAgo}}).event("p", 100 * S);
    std::deque<File> files;
    if (proto_first) files.push_back(proto);
    files.push_back(counting_since("a", W));
    if (!proto_first) files.push_back(proto);
    const Outcome outcome = locate_files(files);
    EXPECT_EQ(outcome.ts.at("p") - outcome.ts.at("a"), 0) << proto_first;
    const size_t other = 1;  // the first file is the timeline
    const int64_t bound = bound_of(outcome, other, proto_first ? kLongAgo : 100 * S);
    EXPECT_GE(bound, 10 * kMs) << proto_first;
    EXPECT_LE(bound, 10 * kMs + 20 * kUs) << proto_first;
  }
}

TEST(BaseTimes, AStartTimeWasReadAtTheFirstEvent) {
  std::deque<File> files{File("p.pb", kProto), File("v.json", kJson)};
  files[0].snap({{B, 100 * S}, {R, W}}).event("p", 100 * S);
  files[1].wall(0, W).event("v", kLongAgo).event("v'", kLongAgo + 100 * S);
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.ts.at("v"), 100 * S + kLongAgo);
  EXPECT_LE(bound_of(outcome, 1, kLongAgo), kLongAgo / 20'000 + 11 * kMs)
      << "REALTIME drifts from BOOTTIME since the snapshot, but not the file from REALTIME";
  const int64_t later = bound_of(outcome, 1, kLongAgo + 100 * S);
  EXPECT_GE(later - bound_of(outcome, 1, kLongAgo), 2 * 100 * S / 20'000 - kUs);
}

TEST(BaseTimes, ExtremesAreKept) {
  std::deque<File> files{File("a.json", kJson), File("b.json", kJson)};
  files[0].base_time(W).event("a", INT64_MAX).event("a'", INT64_MIN + 1);
  files[1].base_time(W).event("b", 5);
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.ts.at("b"), 5);
}

}  // namespace
}  // namespace tracebraid::located_files
