#include "merge/locate/test_files.h"

namespace tracebraid::located_files {
namespace {

// Two CPUs with `count` task switches in all, in a clock with `offset` and a rate of `rate` ticks
// per ns.
void record(File& file, int count, int64_t offset, int64_t rate = 1) {
  uint32_t random = 12345;
  int64_t now = 1 * S;
  for (int i = 0; i < count; ++i) {
    random = random * 1664525 + 1013904223;
    now += 1000 + random % 1'000'000;
    file.switched(random >> 31, 10 + (random >> 8) % 50, (now + offset) * rate);
  }
}

TEST(LocateSwitches, ATextOfAnotherClockIsMovedToWhereItSawTheSame) {
  std::deque<File> files{File("a.txt", kSystrace), File("b.txt", kSystrace)};
  record(files[0], 2000, 0);
  record(files[1], 2000, -101'700'000);
  files[1].event("e", 2 * S);
  const Outcome outcome = locate_files(files);
  EXPECT_NEAR(static_cast<double>(outcome.ts.at("e")), 2.0 * S + 101'700'000, 10);
  ASSERT_EQ(outcome.located.warnings.size(), 1U);
  EXPECT_EQ(outcome.located.warnings[0].path, "b.txt");
  const ClockPlace& place = outcome.located.clocks[1][0];
  EXPECT_EQ(outcome.located.rule(place.node), "measured");
}

TEST(LocateSwitches, TextsThatAgreeShareTheClock) {
  std::deque<File> files{File("a.txt", kSystrace), File("b.txt", kSystrace)};
  record(files[0], 2000, 0);
  record(files[1], 2000, 500);
  files[1].event("e", 2 * S);
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.ts.at("e"), 2 * S);
  EXPECT_TRUE(outcome.located.warnings.empty());
  EXPECT_EQ(outcome.located.clocks[0][0].node, outcome.located.clocks[1][0].node);
}

TEST(LocateSwitches, TicksOfAnUnknownRate) {
  std::deque<File> files{File("a.txt", kSystrace), File("b.json", kJson)};
  record(files[0], 2000, 0);
  record(files[1], 2000, 0, 3);
  files[1].event("e", 6 * S);
  const Outcome outcome = locate_files(files);
  EXPECT_NEAR(static_cast<double>(outcome.ts.at("e")), 2.0 * S, 10);
  EXPECT_TRUE(outcome.located.warnings.empty());
}

TEST(LocateSwitches, AClockThatWasReadDecides) {
  // The clock of the first file differs; the third file shows which clock it is.
  std::deque<File> files{File("c.pb", kProto), File("a.txt", kSystrace), File("b.txt", kSystrace)};
  files[0].snap({{B, 10 * S}, {M, 1 * S}}).event("c", 10 * S);
  record(files[0], 2000, 9 * S);
  record(files[1], 2000, 5 * S);
  files[1].event("a", 6 * S);
  record(files[2], 2000, 9 * S);
  files[2].event("b", 10 * S);
  const Outcome outcome = locate_files(files);
  EXPECT_NEAR(static_cast<double>(outcome.ts.at("a")), 10.0 * S, 10);
  EXPECT_NEAR(static_cast<double>(outcome.ts.at("b")), 10.0 * S, 10);
}

TEST(LocateSwitches, WhatAManifestSaysStays) {
  std::deque<File> files{File("a.txt", kSystrace), File("b.txt", kSystrace)};
  record(files[0], 2000, 0);
  record(files[1], 2000, -100'000'000);
  files[1].event("e", 2 * S);
  const Outcome outcome =
      locate_files(files, R"("files": [{"path": "a.txt"}, {"path": "b.txt", "clocks":
                {"sync_to": {"file": "a.txt", "clock": "MONOTONIC"}, "offset_ns": 7}}])");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.ts.at("e"), 2 * S + 7);
  EXPECT_TRUE(outcome.located.warnings.empty());
}

TEST(LocateSwitches, AFileMayRefuseThem) {
  std::deque<File> files{File("a.txt", kSystrace), File("b.txt", kSystrace)};
  record(files[0], 2000, 0);
  record(files[1], 2000, -100'000'000);
  files[1].event("e", 2 * S);
  EXPECT_NE(locate_files(files).ts.at("e"), 2 * S);
  EXPECT_EQ(locate_files(files, R"("files": [{"path": "b.txt", "align": ["flows"]}])").ts.at("e"),
            2 * S);
  EXPECT_EQ(locate_files(files, R"("files": [{"path": "a.txt", "align": false}])").ts.at("e"),
            2 * S);
}

TEST(LocateSwitches, OtherSwitchesOrFewSayNothing) {
  std::deque<File> files{File("a.txt", kSystrace), File("b.txt", kSystrace),
                         File("c.txt", kSystrace)};
  record(files[0], 2000, 0);
  record(files[2], 100, -100'000'000);
  uint32_t random = 99;
  for (int i = 0; i < 2000; ++i) {
    random = random * 1664525 + 1013904223;
    files[1].switched(0, 10 + (random >> 8) % 50, S + i * 400'000);
  }
  files[1].event("b", 2 * S);
  files[2].event("c", 2 * S);
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.ts.at("b"), 2 * S);
  EXPECT_EQ(outcome.ts.at("c"), 2 * S);
}

}  // namespace
}  // namespace tracebraid::located_files
