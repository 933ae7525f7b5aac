#include "report/verdict.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

constexpr const char* kLinesUp = "Validation: all traces line up on the shared timeline.";

CheckReport report_of(const char* rule) {
  CheckReport report;
  report.clocks.push_back(
      {.file = "a.json", .machine = "host", .clock = "private", .rule = rule, .placed = 5});
  return report;
}

TEST(Verdict, PlacedClocksLineUp) {
  const Verdict fine = verdict(report_of("manifest"));
  EXPECT_EQ(verdict_text(fine), kLinesUp);
  EXPECT_FALSE(fine.fails(true));
}

TEST(Verdict, AGuessDoesNotLineUp) {
  const Verdict guess = verdict(report_of("guessed"));
  EXPECT_EQ(verdict_text(guess),
            "Validation: not all traces line up on the shared timeline: the place of private on "
            "host in a.json is a guess.");
  EXPECT_TRUE(guess.fails(true));
  EXPECT_FALSE(guess.fails(false));
}

TEST(Verdict, DroppedEventsAreCountedByStats) {
  CheckReport report = report_of("manifest");
  report.losses.push_back(
      {.stat = "clock_sync_failure_no_path", .severity = "error", .file = "a.json", .count = 3});
  EXPECT_EQ(verdict_text(verdict(report)),
            "Validation: not all traces line up on the shared timeline: 3 events were dropped.");
}

TEST(Verdict, OtherProblemsFailWithStrictOnly) {
  CheckReport report = report_of("manifest");
  report.problems.push_back({"b\x1b.json", {ErrorCode::BadInput, "the file is empty"}});
  const Verdict other = verdict(report);
  EXPECT_TRUE(other.lines_up());
  EXPECT_EQ(verdict_text(other),
            std::string(kLinesUp) +
                "\nOther problems, for which --strict fails: b\\x1b.json: the file is empty.");
  EXPECT_TRUE(other.fails(true));
  EXPECT_TRUE(other.void_statements.empty());
  report.problems.push_back(
      {.path = "m.json", .error = {ErrorCode::BadManifest, "no clock"}, .is_void_statement = true});
  EXPECT_EQ(verdict(report).void_statements, std::vector<std::string>{"m.json: no clock"});
}

}  // namespace
}  // namespace tracebraid
