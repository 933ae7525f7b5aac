#include "store/args_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>

namespace tracebraid {
namespace {

TEST(ArgsTable, ReadsAsRowsOfTheirSets) {
  StringPool strings;
  ArgsTable args;
  const StringId a = strings.intern("args.a");
  const StringId a0 = strings.intern("args.a[0]");
  args.keys = {{a, a0}, {a, a}};
  const ArgRow first[] = {{7, 1, ArgType::Int, true}};
  const ArgRow second[] = {{std::bit_cast<int64_t>(1.5), 0, ArgType::Real, false},
                           {strings.intern("x").row, 1, ArgType::String, true}};
  EXPECT_EQ(args.add(first), 0U);
  EXPECT_EQ(args.add(second), 1U);
  const TableView view = args.view();
  ASSERT_EQ(view.rows, 3U);
  const auto text = [&](size_t column, size_t row) {
    return std::string(cell(view.columns[column], row, strings).text);
  };
  EXPECT_EQ(cell(view.columns[1], 0, strings).integer, 0);
  EXPECT_EQ(cell(view.columns[1], 2, strings).integer, 1);
  EXPECT_EQ(text(2, 1), "args.a");
  EXPECT_EQ(text(3, 1), "args.a[0]");
  EXPECT_EQ(cell(view.columns[6], 1, strings).real, 1.5);
  EXPECT_EQ(cell(view.columns[4], 1, strings).kind, Cell::Kind::Null);
  EXPECT_EQ(text(5, 2), "x");
  EXPECT_EQ(text(7, 0), "int");

  ASSERT_TRUE(args.find(1, a).has_value());
  EXPECT_EQ(value_of(*args.find(1, a), strings).text, "x");
  EXPECT_FALSE(args.find(0, a0).has_value());
  EXPECT_TRUE(args.set(99).empty());
}

ArgRow arg(uint32_t key, ArgType type, int64_t value) {
  ArgRow row{};
  row.key = key;
  row.type = type;
  row.value = value;
  return row;
}

TEST(ArgsTable, KeepsValuesOfAnyWidthAndSetsOfAnySize) {
  std::mt19937_64 random(3);
  ArgsTable args;
  args.keys.resize(40);
  std::vector<std::vector<ArgRow>> expected;
  for (int i = 0; i < 3000; ++i) {
    std::vector<ArgRow> rows;
    const size_t size = i == 77 ? 20000 : 1 + random() % 9;
    for (size_t k = 0; k < size; ++k)
      rows.push_back(arg(static_cast<uint32_t>(random() % 40), static_cast<ArgType>(random() % 8),
                         static_cast<int64_t>(random()) >> random() % 64));
    ASSERT_EQ(args.add(rows), expected.size());
    expected.push_back(std::move(rows));
  }
  size_t row = 0;
  for (uint32_t set = 0; set < expected.size(); ++set) {
    const ArgSet found = args.set(set);
    ASSERT_EQ(found.size(), expected[set].size());
    for (size_t i = 0; i < found.size(); ++i, ++row) {
      ASSERT_EQ(found[i].value, expected[set][i].value);
      ASSERT_EQ(found[i].key, expected[set][i].key);
      ASSERT_EQ(found[i].type, expected[set][i].type);
      ASSERT_EQ(found[i].last, i + 1 == found.size());
      if (i == 0) {
        ASSERT_EQ(args.set_of(row), set);
      }
    }
    ASSERT_TRUE(args.holds(set, args.record(expected[set])));
    const bool equals_next =
        set + 1 < expected.size() && args.set(set + 1).size() == found.size() &&
        std::ranges::equal(expected[set], expected[set + 1], [](const ArgRow& a, const ArgRow& b) {
          return a.key == b.key && a.type == b.type && a.value == b.value;
        });
    if (set + 1 < expected.size()) {
      ASSERT_EQ(args.holds(set, args.record(expected[set + 1])), equals_next);
    }
  }
  EXPECT_EQ(args.rows(), row);
}

TEST(ArgsTable, LayoutsGiveTheSameSets) {
  ArgsTable args;
  args.keys.resize(3);
  ArgLayout layout({{0, ArgType::Int}, {2, ArgType::String}, {1, ArgType::Uint}});
  const std::vector<std::vector<int64_t>> sets = {
      {1, 2, 3}, {-129, 40000, 5}, {1, 2, 3}, {int64_t{1} << 40, 0, -1}};
  for (const auto& values : sets) args.add(layout, values);
  for (uint32_t set = 0; set < sets.size(); ++set) {
    const ArgRow rows[] = {arg(0, ArgType::Int, sets[set][0]),
                           arg(2, ArgType::String, sets[set][1]),
                           arg(1, ArgType::Uint, sets[set][2])};
    EXPECT_TRUE(args.holds(set, args.record(rows))) << set;
  }
}

TEST(ArgsTable, SetsInPartsReadAsOthers) {
  ArgsTable args;
  args.keys.resize(4);
  const uint32_t pairs = args.add_combinations(2);
  const ArgPart whole{.combinations = pairs, .args = {{0, ArgType::String}, {1, ArgType::Int}}};
  const ArgPart second{.combinations = pairs, .skipped = 1, .args = {{2, ArgType::Int}}};
  const ArgPart value{.args = {{3, ArgType::Uint}}};
  const uint32_t three = args.add_parted_layout(std::array{whole, value});
  const uint32_t two = args.add_parted_layout(std::array{value, second});
  const int64_t first[] = {7, -1}, other[] = {8, int64_t{1} << 40};
  ASSERT_EQ(args.add_combination(pairs, first), 0U);
  ASSERT_EQ(args.add_combination(pairs, other), 1U);
  std::vector<std::vector<ArgRow>> expected;
  for (int64_t i = 0; i < 3000; ++i) {
    const int64_t pair = i % 2;
    const auto& of = pair == 0 ? first : other;
    if (i % 3 == 0) {
      expected.push_back(
          {arg(0, ArgType::String, of[0]), arg(1, ArgType::Int, of[1]), arg(3, ArgType::Uint, i)});
      EXPECT_EQ(args.add_parts(three, std::array{pair, i}), static_cast<uint32_t>(i));
    } else if (i % 3 == 1) {
      expected.push_back({arg(3, ArgType::Uint, -i), arg(2, ArgType::Int, of[1])});
      EXPECT_EQ(args.add_parts(two, std::array{-i, pair}), static_cast<uint32_t>(i));
    } else {
      expected.push_back({arg(1, ArgType::Int, i)});
      EXPECT_EQ(args.add(expected.back()), static_cast<uint32_t>(i));
    }
  }
  size_t row = 0;
  for (uint32_t set = 0; set < expected.size(); ++set) {
    const ArgSet found = args.set(set);
    ASSERT_EQ(found.size(), expected[set].size());
    for (size_t i = 0; i < found.size(); ++i, ++row) {
      ASSERT_EQ(found[i].value, expected[set][i].value) << set;
      ASSERT_EQ(found[i].key, expected[set][i].key);
      ASSERT_EQ(found[i].type, expected[set][i].type);
      ASSERT_EQ(found[i].last, i + 1 == found.size());
      ASSERT_EQ(args.row(row).value, found[i].value);
    }
  }
  EXPECT_EQ(args.rows(), row);
}

}  // namespace
}  // namespace tracebraid
