#include "column/packed_column.h"

#include <gtest/gtest.h>

#include <algorithm>
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
  for (size_t i = 0; i < 15 * kBlock + 7; ++i) {
    const unsigned bits =
        std::min(64U, static_cast<unsigned>(i / kBlock) * 9 / 2);  // 0, then wider block by block
    const uint64_t noise = bits == 0 ? 5 : random() >> (64 - bits);
    expected.push_back(i % 1500 == 1499 ? kExtremes[i % 6] : static_cast<int64_t>(noise));
    ints.append(expected.back());
  }
  ASSERT_EQ(ints.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(ints[i], expected[i]) << i;
  std::vector<int64_t> read(expected.size() - 700);
  ints.read(700, read);
  EXPECT_TRUE(std::equal(read.begin(), read.end(), expected.begin() + 700));
}

TEST(PackedInts, ChangesRowsOfFullBlocksAndOfTheLast) {
  std::mt19937_64 random(2);
  PackedInts ints;
  std::vector<int64_t> expected(13 * kBlock + 100, -1);
  for (const int64_t value : expected) ints.append(value);
  for (int i = 0; i < 20000; ++i) {
    const size_t row = random() % expected.size();
    const auto value = static_cast<int64_t>(random()) >> random() % 64;
    expected[row] = value;
    ints.set(row, value);
  }
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(ints[i], expected[i]) << i;
}

TEST(PackedInts, NoRowIsAboveTheBoundOfItsBlock) {
  std::mt19937_64 random(5);
  PackedInts ints;
  for (size_t i = 0; i < 30 * kBlock; ++i) {
    const size_t kind = i / kBlock % 4;
    const auto rising = static_cast<int64_t>(i * 1000 + random() % 10);
    ints.append(kind == 0   ? -5
                : kind == 1 ? rising
                : kind == 2 ? static_cast<int64_t>(random() % 4096) - 2000
                            : std::numeric_limits<int64_t>::max() - static_cast<int64_t>(i % 50));
  }
  for (size_t i = 0; i < ints.size(); ++i) ASSERT_LE(ints[i], ints.none_above(i / kBlock)) << i;
  EXPECT_EQ(ints.none_above(0), -5);
  EXPECT_LT(ints.none_above(1), static_cast<int64_t>(2 * kBlock * 1000 + 2 * kBlock));
  EXPECT_LE(ints.none_above(2), 4096);
}

TEST(PackedInts, TakesAsMuchAsTheValuesNeed) {
  std::mt19937_64 random(3);
  PackedInts same, line, near;
  constexpr size_t kRows = 256 * kBlock;
  const size_t waiting = 10 * kBlock * sizeof(int64_t);  // blocks that are not packed yet
  int64_t time = int64_t{1} << 60;
  for (size_t i = 0; i < kRows; ++i) {
    same.append(int64_t{1} << 60);
    line.append((int64_t{1} << 60) + static_cast<int64_t>(i * 50));
    near.append(time += static_cast<int64_t>(random() % 50'000));
  }
  EXPECT_LT(same.memory(), waiting + kRows / 8);
  EXPECT_LT(line.memory(), waiting + kRows / 4);
  EXPECT_LT(near.memory(), waiting + kRows * 5 / 2);
}

TEST(PackedInts, RisingValuesAreDistancesFromALine) {
  std::mt19937_64 random(4);
  for (const unsigned bits : {1U, 8U, 20U, 33U, 45U, 54U}) {
    PackedInts ints;
    std::vector<int64_t> expected;
    int64_t value = -(int64_t{1} << 62);
    for (size_t i = 0; i < 20 * kBlock; ++i) {
      expected.push_back(value);
      ints.append(value);
      if (random() % 1000 == 0 && i % kBlock != 0) value -= 3;  // now and then it falls
      if (__builtin_add_overflow(value, static_cast<int64_t>(random() >> (64 - bits)), &value))
        value = 0;
    }
    for (int i = 0; i < 1000; ++i) {
      const size_t row = random() % expected.size();
      expected[row] += static_cast<int64_t>(random() % 1000) - 500;
      ints.set(row, expected[row]);
    }
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(ints[i], expected[i]) << bits << ' ' << i;
  }
}

// Rows of another table that rise, with NULLs in between and then written over.
TEST(PackedInts, NullsAmongLargeValuesCostNothing) {
  std::mt19937_64 random(6);
  PackedInts ints;
  std::vector<int64_t> expected;
  for (size_t i = 0; i < 256 * kBlock; ++i) {
    const bool is_null = i % kBlock == 0 || random() % 3 != 0;
    const auto row = static_cast<int64_t>(5'000'000 + i - random() % 60);
    expected.push_back(is_null ? -1 : row);
    ints.append(expected.back());
  }
  EXPECT_LT(ints.memory(), 10 * kBlock * sizeof(int64_t) + expected.size());
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(ints[i], expected[i]) << i;
  for (int i = 0; i < 100'000; ++i) {
    const size_t row = random() % expected.size();
    const auto near = static_cast<int64_t>(5'000'000 + row - random() % 80);
    expected[row] = random() % 2 == 0 ? -1 : random() % 1000 == 0 ? -2 : near;
    ints.set(row, expected[row]);
    ASSERT_EQ(ints[row], expected[row]) << row;
  }
  std::vector<int64_t> read(expected.size());
  ints.read(0, read);
  EXPECT_EQ(read, expected);
  for (size_t i = 0; i < ints.size(); ++i) ASSERT_LE(ints[i], ints.none_above(i / kBlock)) << i;
}

TEST(PackedColumn, NullsAreNextToSmallValues) {
  PackedColumn<OptRow> rows;
  PackedColumn<StringId> strings;
  for (uint32_t i = 0; i < 13 * kBlock; ++i) {
    rows.append(i % 2 == 0 ? OptRow{} : OptRow{7});
    strings.append(i % 2 == 0 ? StringId{} : StringId{200});
  }
  rows.at(5) = OptRow{OptRow::kNull - 1};
  EXPECT_EQ(rows[4].row, OptRow::kNull);
  EXPECT_EQ(rows[5].row, OptRow::kNull - 1);
  EXPECT_EQ(rows[7].row, 7U);
  EXPECT_FALSE(strings[0]);
  EXPECT_EQ(strings[1].row, 200U);
  EXPECT_LT(strings.ints().memory(), 90 * kBlock);
}

}  // namespace
}  // namespace tracebraid
