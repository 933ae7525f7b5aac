#include "timeline/index/row_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace tracebraid::timeline {
namespace {

struct Keys {
  std::vector<uint32_t> owners, depths;

  LineKeys line_keys(size_t most_owners) const {
    return {
        .rows = owners.size(),
        .owners = most_owners,
        .read_owners =
            [this](size_t first, std::span<uint32_t> to) {
              std::copy_n(owners.begin() + static_cast<ptrdiff_t>(first), to.size(), to.begin());
            },
        .read_depths =
            [this](size_t first, std::span<uint32_t> to) {
              std::copy_n(depths.begin() + static_cast<ptrdiff_t>(first), to.size(), to.begin());
            }};
  }
};

Keys random_keys(size_t rows, uint32_t owners, uint32_t depths) {
  std::mt19937 random(3);
  Keys keys;
  for (size_t row = 0; row < rows; ++row) {
    const uint32_t owner = random() % (owners + 1);
    keys.owners.push_back(owner == owners ? LineKeys::kNoOwner : owner);
    keys.depths.push_back(random() % depths);
  }
  return keys;
}

TEST(RowLists, HaveTheRowsOfEachLineInOrder) {
  const Keys keys = random_keys(300'000, 70, 5);
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> expected;
  for (uint32_t row = 0; row < keys.owners.size(); ++row)
    if (keys.owners[row] != LineKeys::kNoOwner)
      expected[{keys.owners[row], keys.depths[row]}].push_back(row);
  for (const unsigned threads : {1U, 2U, 7U}) {
    Workers workers(threads);
    const RowLists lists(keys.line_keys(71), workers);  // the last owner has no rows
    EXPECT_EQ(lists.lines_of(70), 0U);
    EXPECT_EQ(lists.lines(), expected.size());
    for (const auto& [key, rows] : expected) {
      const size_t line = lists.first_line(key.first) + key.second;
      ASSERT_EQ(lists.size_of(line), rows.size());
      std::vector<uint32_t> read(rows.size());
      lists.rows().read(lists.begin(line), read);
      ASSERT_EQ(read, rows);
      ASSERT_EQ(lists.rows()[lists.begin(line) + rows.size() / 2], rows[rows.size() / 2]);
      ASSERT_EQ(lists.place_of(line, rows[rows.size() / 2]), rows.size() / 2);
    }
  }
}

TEST(RowLists, AreSmall) {
  const Keys keys = random_keys(1'000'000, 500, 4);
  Workers workers(2);
  const RowLists lists(keys.line_keys(500), workers);
  EXPECT_LE(static_cast<double>(lists.memory()) / 1e6, 3);
}

TEST(RowLists, OfAnEmptyTableAreEmpty) {
  Workers workers(2);
  EXPECT_EQ(RowLists(Keys().line_keys(0), workers).lines(), 0U);
  EXPECT_EQ(RowLists(Keys().line_keys(3), workers).lines(), 0U);
}

TEST(PackedRows, HaveAnyValues) {
  std::vector<uint32_t> rows;
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) rows.push_back(static_cast<uint32_t>(random()));
  rows.push_back(0);
  rows.push_back(~uint32_t{0});
  Workers workers(1);
  const PackedRows packed(rows, workers);
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(packed[i], rows[i]);
}

}  // namespace
}  // namespace tracebraid::timeline
