#include "fleet/journal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "fleet/frames.h"
#include "fleet/test_folder.h"

namespace tracebraid::fleet {
namespace {

class Journals : public testing::Test {
 protected:
  Journals() {
    for (const char* name : {"a", "b"}) {
      groups_.push_back(
          {.name = name, .paths = {folder_.write(name, name)}, .sizes = {1}, .root = {}});
    }
  }
  Result<Journal> open(bool resume, std::string_view asked = R"({"sql":"SELECT 1"})") {
    return Journal::open(folder_ / "rows.csv", asked, groups_, resume);
  }
  // Adds a group with a frame, whose head says which group it is.
  static void add(Journal& journal, const Group& group) {
    Spool rows(1 << 20, "/tmp");
    ASSERT_TRUE(rows.add(message_frame(FrameKind::Batch, group.name)));
    ASSERT_TRUE(journal.add(group, rows, R"({"rows":1})"));
  }
  static std::string heads(const Journal& journal, const Group& group) {
    std::string heads;
    EXPECT_TRUE(journal.for_each_frame(group, [&](std::string_view head, std::string_view) {
      heads += head;
      return Result<>();
    }));
    return heads;
  }
  void append(std::string_view name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::app) << text;
  }

  TestFolder folder_;
  std::vector<Group> groups_;
};

TEST_F(Journals, ARunHasTheGroupsOfTheOneThatItContinues) {
  {
    Result<Journal> journal = open(false);
    ASSERT_TRUE(journal);
    add(*journal, groups_[1]);
  }
  Result<Journal> journal = open(true);
  ASSERT_TRUE(journal);
  EXPECT_FALSE(journal->has(groups_[0]));
  ASSERT_TRUE(journal->has(groups_[1]));
  EXPECT_EQ(journal->facts(groups_[1]), R"({"rows":1})");
  EXPECT_EQ(heads(*journal, groups_[1]), "b");
  add(*journal, groups_[0]);
  EXPECT_EQ(heads(*journal, groups_[0]), "a");
  ASSERT_TRUE(journal->remove());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "rows.csv.resume"));
}

TEST_F(Journals, WhatAKilledRunWroteLastIsCutOff) {
  {
    Result<Journal> journal = open(false);
    ASSERT_TRUE(journal);
    add(*journal, groups_[0]);
  }
  append("rows.csv.resume/journal", R"({"group":"b","dig)");
  append("rows.csv.resume/rows", "rows of b");
  Result<Journal> journal = open(true);
  ASSERT_TRUE(journal);
  EXPECT_FALSE(journal->has(groups_[1]));
  add(*journal, groups_[1]);
  EXPECT_EQ(heads(*journal, groups_[0]) + heads(*journal, groups_[1]), "ab");
}

TEST_F(Journals, ARunThatDoesNotContinueBeginsAnew) {
  {
    Result<Journal> journal = open(false);
    ASSERT_TRUE(journal);
    add(*journal, groups_[0]);
  }
  const Result<Journal> journal = open(false, R"({"sql":"SELECT 2"})");
  ASSERT_TRUE(journal);
  EXPECT_FALSE(journal->has(groups_[0]));
  EXPECT_EQ(std::filesystem::file_size(folder_ / "rows.csv.resume/rows"), 0U);
}

TEST_F(Journals, GroupsWhoseFilesChangedRunAgain) {
  {
    Result<Journal> journal = open(false);
    ASSERT_TRUE(journal);
    for (const Group& group : groups_) add(*journal, group);
  }
  const std::string before = state_of(groups_[0]);
  std::filesystem::last_write_time(groups_[0].paths[0], std::filesystem::file_time_type::min());
  EXPECT_NE(state_of(groups_[0]), before);
  const Result<Journal> journal = open(true);
  ASSERT_TRUE(journal);
  EXPECT_FALSE(journal->has(groups_[0]));
  EXPECT_TRUE(journal->has(groups_[1]));
}

TEST_F(Journals, AnotherQuestionASecondRunAndDamageAreErrors) {
  {
    const Result<Journal> journal = open(false);
    ASSERT_TRUE(journal);
    const Result<Journal> second = open(true);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::Usage);
  }
  const Result<Journal> other = open(true, R"({"sql":"SELECT 2"})");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::Usage);
  append("rows.csv.resume/journal", "{\"group\":\"a\",\"begin\":9,\"end\":1}\n");
  const Result<Journal> damaged = open(true);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::Io);
}

}  // namespace
}  // namespace tracebraid::fleet
