#include "merge/locate/stats.h"
#include "merge/locate/test_files.h"

namespace tracebraid::located_files {
namespace {

int64_t count(const Outcome& outcome, StatId stat) {
  return std::ranges::count(outcome.located.logs, stat, &LocateLog::stat);
}

// a and b noted the moments at seconds 0, 10 and 20 of a; b is 100 s ahead and gains 100 ppm.
std::deque<File> drifting() {
  std::deque<File> files{File("a.json", kJson), File("b.json", kJson)};
  for (int64_t i = 0; i < 3; ++i) {
    const std::string id = "q" + std::to_string(i);
    const int64_t length = i == 1 ? 0 : 1000;  // the middle one is the best
    files[0].sync(id, i * 10 * S, i * 10 * S + length);
    const int64_t b = 100 * S + i * 10 * (S + 100'000);
    files[1].sync(id, b, b);
  }
  files[1].event("late", 100 * S + 20 * (S + 100'000));
  return files;
}

TEST(LocateSync, TheBestSyncCounts) {
  std::deque<File> files = drifting();
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.ts.at("late"), 20 * S + 1'000'000) << "it knows nothing of the drift";
  EXPECT_EQ(count(outcome, stats::clock_sync_inconsistent), 2);
}

TEST(LocateSync, ALineThroughAll) {
  std::deque<File> files = drifting();
  const Outcome outcome = locate_files(files, {}, {.sync = {.fit_line = true}});
  EXPECT_NEAR(static_cast<double>(outcome.ts.at("late")), 20.0 * S, 600);
  std::deque<File> steep{File("a.json", kJson), File("b.json", kJson)};
  steep[0].sync("q", 0, 0).sync("r", 10 * S, 10 * S);
  steep[1].sync("q", 0, 0).sync("r", 11 * S, 11 * S).event("e", 5 * S);
  const Outcome rejected = locate_files(steep, {}, {.sync = {.fit_line = true}});
  EXPECT_EQ(rejected.ts.at("e"), 5 * S);
  EXPECT_EQ(count(rejected, stats::clock_fit_rejected), 1);
}

TEST(LocateSync, FilesOfOneNameShareAClockUnlessMarkersRelateThem) {
  const auto named = [] {
    std::deque<File> files{File("a.json", kJson), File("b.json", kJson)};
    files[0].domain("TELEMETRY").sync("q", 1 * S, 1 * S);
    files[1].domain("TELEMETRY").sync("q", 3 * S, 3 * S).event("e", 4 * S);
    return files;
  };
  std::deque<File> files = named();
  Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.ts.at("e"), 4 * S);
  EXPECT_EQ(count(outcome, stats::clock_sync_self), 1);
  files = named();
  outcome = locate_files(files, {}, {.sync = {.same_domain = true}});
  EXPECT_EQ(outcome.ts.at("e"), 2 * S);
  EXPECT_EQ(count(outcome, stats::clock_sync_self), 0);
}

TEST(LocateSync, ClocksThatNothingLinks) {
  const auto apart = [] {
    std::deque<File> files{File("a.json", kJson), File("b.json", kJson)};
    files[0].domain("TELEMETRY").sync("q", 1 * S, 1 * S);
    files[1].domain("BATTOR").sync("r", 3 * S, 3 * S).event("e", 4 * S);
    return files;
  };
  std::deque<File> files = apart();
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.ts.at("e"), 4 * S);
  EXPECT_EQ(count(outcome, stats::clock_sync_disconnected), 1);
  EXPECT_EQ(count(outcome, stats::clock_sync_incomplete), 2);
  files = apart();
  EXPECT_EQ(locate_files(files, {}, {.sync = {.must_be_linked = true}}).error,
            "Unable to select a master clock domain because no path can be found from "
            "\"TELEMETRY\" to \"BATTOR\".");
}

TEST(LocateSync, ManyMarkersOfOneIdAndReadingsAtTheEnds) {
  constexpr int64_t kMost = INT64_MAX, kLeast = INT64_MIN;
  std::deque<File> files;
  for (int i = 0; i < 200; ++i) {
    files.emplace_back("f" + std::to_string(i) + ".json", kJson);
    files.back().sync("all", i, i + 10).event("e" + std::to_string(i), 1000 + i);
  }
  files[1].sync("x", kLeast, kMost);
  files[2].sync("x", kMost, kMost).sync("y", kMost, kLeast);
  const Outcome outcome = locate_files(files, {}, {.sync = {.fit_line = true}});
  EXPECT_EQ(outcome.ts.at("e150"), 1000);
  EXPECT_LT(outcome.located.graph.snapshots().size(), 10'000U);
}

TEST(LocateSplit, StrictRefusesCapturesThatContradictEachOther) {
  std::deque<File> refused{rt("a", 1 * S, W, 2 * S), rt("b", 1 * S, W + 5 * S, 2 * S)};
  EXPECT_EQ(locate_files(refused, {}, {.strict = true}).error,
            "b.pb: is not from the machine of a.pb, although it claims to be: its wall clock "
            "differs by 5000 ms "
            "at the same BOOTTIME");
  // A third file belongs to the machine that it agrees with.
  std::deque<File> files{rt("a", 1 * S, W, 2 * S), rt("b", 1 * S, W + 5 * S, 2 * S),
                         rt("c", 9 * S, W + 13 * S, 9 * S)};
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.store->machines.rows(), 2U);
  EXPECT_EQ(outcome.machine.at("b"), outcome.machine.at("c"));
  EXPECT_EQ(outcome.ts, (Times{{"a", 2 * S}, {"b", 7 * S}, {"c", 14 * S}}));
}

}  // namespace
}  // namespace tracebraid::located_files
