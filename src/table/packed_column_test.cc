#include "table/packed_column.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace tracebraid {
namespace {

constexpr size_t kBlock = PackedInts::kBlockRows;

TEST(PackedInts, HoldsAnyValues) {
  constexpr int64_t kExtremes[] = {std::numeric_limits<int64_t>::min(),
                                   std::numeric_limits<int64_t>::max(),
                                   -1,
                                   0,
                                   1,
                                   int64_t{1} << 40};
  std::mt19937_64 random(1);
  PackedInts ints;
  std::vector<int64_t> expected;
  for (size_t i = 0; i < 5 * kBlock + 7; ++i) {
    const unsigned bits = static_cast<unsigned>(i / kBlock) * 12;  // 0, then wider block by block
    const uint64_t noise = bits == 0 ? 5 : random() >> (64 - bits);
    expected.push_back(i % 1500 == 1499 ? kExtremes[i % 6] : static_cast<int64_t>(noise));
    ints.append(expected.back());
  }
  ASSERT_EQ(ints.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(ints[i], expected[i]) << i;
}

TEST(PackedInts, ChangesRowsOfFullBlocksAndOfTheLast) {
  std::mt19937_64 random(2);
  PackedInts ints;
  std::vector<int64_t> expected(3 * kBlock + 100, -1);
  for (const int64_t value : expected) ints.append(value);
  for (int i = 0; i < 20000; ++i) {
    const size_t row = random() % expected.size();
    const auto value = static_cast<int64_t>(random()) >> random() % 64;
    expected[row] = value;
    ints.set(row, value);
  }
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(ints[i], expected[i]) << i;
}

TEST(PackedInts, TakesAsMuchAsTheValuesNeed) {
  PackedInts same, near;
  for (size_t i = 0; i < 64 * kBlock; ++i) {
    same.append(int64_t{1} << 60);
    near.append((int64_t{1} << 60) + static_cast<int64_t>(i * 50));
  }
  EXPECT_LT(same.memory(), 64 * kBlock);
  EXPECT_LT(near.memory(), 64 * kBlock * 3);
}

TEST(PackedColumn, NullsAreNextToSmallValues) {
  PackedColumn<OptRow> rows;
  PackedColumn<StringId> strings;
  for (uint32_t i = 0; i < 3 * kBlock; ++i) {
    rows.append(i % 2 == 0 ? OptRow{} : OptRow{7});
    strings.append(i % 2 == 0 ? StringId{} : StringId{200});
  }
  rows.at(5) = OptRow{OptRow::kNull - 1};
  EXPECT_EQ(rows[4].row, OptRow::kNull);
  EXPECT_EQ(rows[5].row, OptRow::kNull - 1);
  EXPECT_EQ(rows[7].row, 7U);
  EXPECT_FALSE(strings[0]);
  EXPECT_EQ(strings[1].row, 200U);
  EXPECT_LT(strings.ints().memory(), 20 * kBlock);
}

}  // namespace
}  // namespace tracebraid
