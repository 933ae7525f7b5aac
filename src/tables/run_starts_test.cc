#include "tables/run_starts.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tracebraid {
namespace {

TEST(RunStarts, AgreeWithAListOfRows) {
  std::mt19937 random(11);
  for (const uint32_t longest : {1U, 2U, 7U, 500U}) {
    RunStarts starts;
    std::vector<size_t> rows;
    size_t row = 0;
    for (int run = 0; run < 2000; ++run) {
      starts.add(row);
      rows.push_back(row);
      row += 1 + random() % longest;
    }
    ASSERT_EQ(starts.runs(), rows.size());
    EXPECT_TRUE(starts.are_sound());
    for (uint32_t run = 0; run < rows.size(); ++run) {
      ASSERT_EQ(starts.first_row(run), rows[run]);
      const size_t end = run + 1 < rows.size() ? rows[run + 1] : row;
      for (size_t at = rows[run]; at < end; ++at) {
        ASSERT_EQ(starts.run_of(at), run) << at;
        ASSERT_EQ(starts.first_row_of(at), rows[run]) << at;
        ASSERT_EQ(starts.is_start(at), at == rows[run]) << at;
      }
    }
    EXPECT_FALSE(starts.is_start(row + 64));
    RunStarts viewed;
    viewed.view(starts.words(), starts.before());
    EXPECT_EQ(viewed.runs(), starts.runs());
    EXPECT_EQ(viewed.first_row(1999), rows[1999]);
  }
}

TEST(RunStarts, WrongNumbersAreFoundAndHarmless) {
  const std::vector<uint64_t> words = {1, 0, 6};
  const std::vector<uint32_t> before = {0, 1, 1}, wrong = {0, 9, 1};
  RunStarts starts;
  starts.view(words, before);
  EXPECT_TRUE(starts.are_sound());
  EXPECT_EQ(starts.runs(), 3U);
  EXPECT_EQ(starts.first_row(2), 130U);
  starts.view(words, wrong);
  EXPECT_FALSE(starts.are_sound());
  for (uint32_t run = 0; run < 20; ++run) EXPECT_LE(starts.first_row(run), 3 * 64U);
  const std::vector<uint64_t> late = {2};
  starts.view(late, std::span(before).first(1));
  EXPECT_FALSE(starts.are_sound());  // row 0 is in no run
}

}  // namespace
}  // namespace tracebraid
