#include "merge/locate/dates.h"

#include <gtest/gtest.h>

#include "merge/locate/test_files.h"

namespace tracebraid::located_files {
namespace {

File json(const std::string& name, int64_t first, int64_t last) {
  File file(name + ".json", kJson);
  file.event(name, first).event(name + "'", last);
  return file;
}

int64_t uncertainty_of(const Outcome& outcome, size_t file) {
  const ClockId clock = outcome.located.clocks[file][0].node;
  return outcome.located.placement.node(clock).uncertainty_ns;
}

TEST(LocateDates, PlaceFilesWithoutClocks) {
  std::deque<File> files{json("a", 1 * S, 2 * S), json("b", S / 2, 1 * S), json("c", 3 * S, 4 * S)};
  files[0].date(SnapshotKind::EndDate, W);
  files[1].date(SnapshotKind::EndDate, W + 60 * S);
  files[2].date(SnapshotKind::StartDate, W + 60 * S);
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.ts.at("b'"), 62 * S);
  EXPECT_EQ(outcome.ts.at("c"), 62 * S);
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "rendezvous");
  EXPECT_GE(uncertainty_of(outcome, 1), 5 * S + S / 2);
  EXPECT_LE(uncertainty_of(outcome, 1), 5 * S + S);
}

TEST(LocateDates, OfMachinesThatMeet) {
  std::deque<File> files{File("p.pb", kProto), json("b", S, S)};
  files[0].snap({{B, 100 * S}, {R, W}}).event("p", 100 * S);
  files[1].date(SnapshotKind::EndDate, W + 60 * S);
  const Outcome outcome =
      locate_files(files, R"("files": [{"path": "b.json", "machine": {"name": "other"}}])");
  EXPECT_EQ(outcome.ts.at("b"), 160 * S);
}

// Both clocks show much more than the bound of the dates.
TEST(LocateDates, KeepWhatHardlyIsChance) {
  std::deque<File> files{json("a", 1000 * S, 1001 * S), json("b", 1005 * S, 1006 * S)};
  files[0].date(SnapshotKind::EndDate, W);
  files[1].date(SnapshotKind::EndDate, W + 7 * S);
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.ts.at("b"), 1005 * S);
  EXPECT_GE(uncertainty_of(outcome, 1), 8 * S);
  EXPECT_LE(uncertainty_of(outcome, 1), 9 * S);

  std::deque<File> young{json("a", 10 * S, 11 * S), json("b", 15 * S, 16 * S)};
  young[0].date(SnapshotKind::EndDate, W);
  young[1].date(SnapshotKind::EndDate, W + 7 * S);
  EXPECT_EQ(locate_files(young).ts.at("b"), 17 * S);
}

TEST(LocateDates, AreWeakerThanAllElse) {
  const auto run = [](bool has_dates) {
    std::deque<File> files{json("a", 1 * S, 2 * S), json("b", 3 * S, 4 * S), json("c", 0, 9 * S)};
    files[0].wall(0, W).sync("s", 1 * S, 1 * S + 2000).date(SnapshotKind::EndDate, W - 999 * S);
    files[1].sync("s", 3 * S, 3 * S);
    files[2].wall(0, W + 5 * S);
    if (has_dates) {
      files[1].date(SnapshotKind::EndDate, W + 999 * S);
      files[2].date(SnapshotKind::EndDate, W + 999 * S);
    }
    return locate_files(files);
  };
  const Outcome with = run(true), without = run(false);
  EXPECT_EQ(with.ts, without.ts);
  EXPECT_EQ(with.store->clock_contradictions.rows(), 0U);
  EXPECT_TRUE(with.located.warnings.empty());
}

// A single date has nothing to be compared with: the clocks stay zero apart.
TEST(LocateDates, OneAloneMovesNothing) {
  std::deque<File> files{json("a", 1 * S, 2 * S), json("b", 3 * S, 4 * S)};
  files[1].date(SnapshotKind::EndDate, W);
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.ts.at("b"), 3 * S);
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed");
}

TEST(LocateDates, SurviveExtremes) {
  std::deque<File> files{json("a", INT64_MIN, INT64_MAX), json("b", INT64_MAX, INT64_MAX),
                         File("c.json", kJson), json("d", 1, 2)};
  for (File& file : files) file.date(SnapshotKind::StartDate, INT64_MAX);
  files[3].date(SnapshotKind::EndDate, INT64_MIN);
  EXPECT_EQ(locate_files(files).error, "");
}

}  // namespace
}  // namespace tracebraid::located_files
