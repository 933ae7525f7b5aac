#include "tables/args_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <random>
#include <span>

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
  EXPECT_EQ(args.add(first), 3U);
  const TableView view = args.view();
  ASSERT_EQ(view.rows, 4U);
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
  std::vector<uint32_t> ids;
  for (int i = 0; i < 3000; ++i) {
    std::vector<ArgRow> rows;
    const size_t size = i == 77 ? 20000 : 1 + random() % 9;
    for (size_t k = 0; k < size; ++k)
      rows.push_back(arg(static_cast<uint32_t>(random() % 40), static_cast<ArgType>(random() % 8),
                         static_cast<int64_t>(random()) >> random() % 64));
    ids.push_back(args.add(rows));
    expected.push_back(std::move(rows));
  }
  size_t row = 0;
  for (uint32_t set = 0; set < expected.size(); ++set) {
    ASSERT_EQ(ids[set], row);
    const ArgSet found = args.set(ids[set]);
    ASSERT_EQ(found.size(), expected[set].size());
    for (size_t i = 0; i < found.size(); ++i, ++row) {
      ASSERT_EQ(found[i].value, expected[set][i].value);
      ASSERT_EQ(found[i].key, expected[set][i].key);
      ASSERT_EQ(found[i].type, expected[set][i].type);
      ASSERT_EQ(found[i].last, i + 1 == found.size());
      if (i == 0) {
        ASSERT_EQ(args.set_of(row), ids[set]);
      }
    }
    ASSERT_TRUE(args.holds(ids[set], args.record(expected[set])));
    const bool equals_next =
        set + 1 < expected.size() && args.set(ids[set + 1]).size() == found.size() &&
        std::ranges::equal(expected[set], expected[set + 1], [](const ArgRow& a, const ArgRow& b) {
          return a.key == b.key && a.type == b.type && a.value == b.value;
        });
    if (set + 1 < expected.size()) {
      ASSERT_EQ(args.holds(ids[set], args.record(expected[set + 1])), equals_next);
    }
  }
  EXPECT_EQ(args.rows(), row);
}

// Checks find_integers() against find(): sets of records and of parts, ids of no set, NULL.
TEST(ArgsTable, FindsIntegersOfManySets) {
  std::mt19937_64 random(5);
  StringPool strings;
  ArgsTable args;
  for (const char* name : {"a", "b", "c", "d"})
    args.keys.push_back({strings.intern("args"), strings.intern(name)});
  const uint32_t pairs = args.add_combinations(2);
  args.add_combination(pairs, std::array<int64_t, 2>{4, -5});
  args.add_combination(pairs, std::array<int64_t, 2>{int64_t{1} << 50, 6});
  const ArgPart pair{.combinations = pairs, .args = {{0, ArgType::Int}, {2, ArgType::Bool}}};
  const ArgPart value{.args = {{1, ArgType::Uint}}};
  const uint32_t parted = args.add_parted_layout(std::array{pair, value});
  constexpr ArgType kTypes[] = {ArgType::Int, ArgType::Uint, ArgType::Null, ArgType::Pointer};
  for (int64_t i = 0; i < 3000; ++i) {
    std::vector<ArgRow> rows;
    const bool has_no_rows = random() % 8 == 0;
    for (size_t k = 1 + random() % 3; k > 0; --k) {
      rows.push_back(arg(static_cast<uint32_t>(random() % 3), kTypes[random() % 4],
                         static_cast<int64_t>(random()) >> random() % 64));
      rows.back().unlisted = has_no_rows;
    }
    if (i % 4 == 0)
      args.add_parts(parted, std::array{i % 2, i});
    else
      args.add(rows);
  }
  const ArgRow text[] = {arg(3, ArgType::String, strings.intern("text").row)};
  const ArgRow real[] = {arg(3, ArgType::Real, 0)};
  const int64_t texts[] = {args.add(text), args.add(real)};
  std::vector<int64_t> ids;
  for (size_t id = 0; id < args.rows() + 9; ++id) ids.push_back(static_cast<int64_t>(id));
  for (uint32_t i = 0; i < 2000; ++i) ids.push_back(ArgsTable::kLastId - i);
  ids.insert(ids.end(), {-1, int64_t{OptRow::kNull}, int64_t{1} << 40});
  std::ranges::shuffle(std::span(ids).subspan(ids.size() / 2), random);
  for (const char* name : {"a", "b", "c", "none"}) {
    const StringId key = strings.intern(name);
    std::vector<int64_t> values = ids;
    const std::unique_ptr<bool[]> valid(new bool[ids.size()]);
    for (size_t i = 0; i < ids.size(); ++i) valid[i] = i % 7 != 0;
    ASSERT_TRUE(args.find_integers(key, values, {valid.get(), ids.size()}));
    for (size_t i = 0; i < ids.size(); ++i) {
      const bool is_id = ids[i] >= 0 && ids[i] < int64_t{OptRow::kNull};
      const std::optional<ArgRow> row =
          is_id && i % 7 != 0 ? args.find(static_cast<uint32_t>(ids[i]), key) : std::nullopt;
      const Cell expected = row ? value_of(*row, strings) : Cell::null();
      ASSERT_EQ(valid[i], expected.kind == Cell::Kind::Int) << name << ' ' << ids[i];
      if (valid[i]) {
        ASSERT_EQ(values[i], expected.integer) << name << ' ' << ids[i];
      }
    }
  }
  for (const int64_t id : texts) {
    int64_t set = id;
    bool is_valid = true;
    EXPECT_FALSE(args.find_integers(strings.intern("d"), {&set, 1}, {&is_valid, 1}));
  }
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
    EXPECT_TRUE(args.holds(3 * set, args.record(rows))) << set;
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
  std::vector<uint32_t> ids;
  for (int64_t i = 0; i < 3000; ++i) {
    const int64_t pair = i % 2;
    const auto& of = pair == 0 ? first : other;
    if (i % 3 == 0) {
      expected.push_back(
          {arg(0, ArgType::String, of[0]), arg(1, ArgType::Int, of[1]), arg(3, ArgType::Uint, i)});
      ids.push_back(args.add_parts(three, std::array{pair, i}));
    } else if (i % 3 == 1) {
      expected.push_back({arg(3, ArgType::Uint, -i), arg(2, ArgType::Int, of[1])});
      ids.push_back(args.add_parts(two, std::array{-i, pair}));
    } else {
      expected.push_back({arg(1, ArgType::Int, i)});
      ids.push_back(args.add(expected.back()));
    }
  }
  size_t row = 0;
  for (uint32_t set = 0; set < expected.size(); ++set) {
    ASSERT_EQ(ids[set], row);
    const ArgSet found = args.set(ids[set]);
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

// Checks that each column has the same values when read in ranges and cell by cell.
void expect_same_when_read(const TableView& view, const StringPool& strings, uint32_t seed) {
  std::mt19937 random(seed);
  for (const ColumnView& column : view.columns) {
    if (column.type == CellType::RowNumber) continue;
    ASSERT_NE(column.read, nullptr) << column.name;
    for (int piece = 0; piece < 50; ++piece) {
      const size_t first = random() % view.rows;
      const size_t count = 1 + random() % std::min<size_t>(view.rows - first, 700);
      std::vector<int64_t> values(count);
      const auto valid = std::make_unique<bool[]>(count);
      column.read(column.data, first, values, {valid.get(), count});
      for (size_t i = 0; i < count; ++i) {
        const Cell expected = cell(column, first + i, strings);
        Cell read;
        if (!valid[i] || (column.sql_type == SqlType::Text && column.texts.empty() &&
                          !StringId{static_cast<uint32_t>(values[i])}))
          read = Cell::null();
        else if (column.sql_type == SqlType::Integer)
          read = Cell::of(values[i]);
        else if (column.sql_type == SqlType::Real)
          read = Cell::of(std::bit_cast<double>(values[i]));
        else if (column.texts.empty())
          read = Cell::of(strings.get({static_cast<uint32_t>(values[i])}));
        else
          read = Cell::of(column.texts[static_cast<size_t>(values[i])]);
        ASSERT_EQ(read.kind, expected.kind) << column.name << " of " << first + i;
        ASSERT_EQ(read.integer, expected.integer) << column.name << " of " << first + i;
        ASSERT_EQ(read.real, expected.real) << column.name << " of " << first + i;
        ASSERT_EQ(read.text, expected.text) << column.name << " of " << first + i;
      }
    }
  }
}

TEST(ArgsTable, ReadsInPiecesWhatItsCellsSay) {
  std::mt19937_64 random(5);
  StringPool strings;
  ArgsTable args;
  for (const char* key : {"a", "b[0]", "c.d", "e", "f"}) {
    const StringId id = strings.intern(key);
    args.keys.push_back({id, id});
  }
  const StringId text = strings.intern("text");
  const ArgPart parts[] = {
      {.combinations = args.add_combinations(2), .args = {{0, ArgType::Int}, {3, ArgType::String}}},
      {.args = {{4, ArgType::Real}}}};
  const int64_t combination[] = {-7, text.row};
  const uint32_t number = args.add_combination(parts[0].combinations, combination);
  const uint32_t layout = args.add_parted_layout(parts);
  constexpr ArgType kTypes[] = {ArgType::Int,  ArgType::Uint, ArgType::String, ArgType::Real,
                                ArgType::Bool, ArgType::Json, ArgType::Null,   ArgType::Pointer};
  for (int set = 0; set < 2000; ++set) {
    if (random() % 4 == 0) {
      const int64_t numbers[] = {number, std::bit_cast<int64_t>(0.25 * set)};
      args.add_parts(layout, numbers);
      continue;
    }
    std::vector<ArgRow> rows;
    for (size_t i = random() % 6; i-- > 0;) {
      const ArgType type = kTypes[random() % std::size(kTypes)];
      const bool is_text = type == ArgType::String || type == ArgType::Json;
      const auto value = static_cast<int64_t>(random() >> random() % 64);
      rows.push_back(
          arg(static_cast<uint32_t>(random() % 5), type,
              is_text ? (random() % 3 == 0 ? int64_t{StringId::kNone} : text.row) : value));
    }
    args.add(rows);
  }
  expect_same_when_read(args.view(), strings, 9);
}

TEST(ArgsTable, HasUnlistedLeavesOnlyInTheFullView) {
  StringPool strings;
  std::mt19937_64 random(9);
  ArgsTable args;
  for (int i = 0; i < 20; ++i) {
    const StringId name = strings.intern("k" + std::to_string(i));
    args.keys.push_back(
        {name, name, i % 5 == 0 ? strings.intern("p" + std::to_string(i)) : StringId{}});
  }
  std::vector<std::vector<ArgRow>> expected;
  std::vector<uint32_t> ids;
  for (int i = 0; i < 3000; ++i) {
    std::vector<ArgRow> rows;
    const size_t size = 1 + random() % 9;
    for (size_t k = 0; k < size; ++k) {
      rows.push_back(arg(static_cast<uint32_t>(random() % 20), ArgType::Int,
                         static_cast<int64_t>(random()) >> random() % 64));
      if (random() % 4 != 0) continue;
      rows.back().unlisted = true;
      if (random() % 2 == 0) rows.back().type = ArgType::EmptyArray;
    }
    ids.push_back(args.add(rows));
    expected.push_back(rows);
  }
  EXPECT_TRUE(args.has_details());
  const TableView view = args.view(), full = args.full_view();
  const auto& set_ids = full.columns[1];
  std::vector<int64_t> read_keys(full.rows);
  std::vector<char> valid_bytes(full.rows);
  const std::span<bool> valid(reinterpret_cast<bool*>(valid_bytes.data()), full.rows);
  for (size_t first = 0; first < full.rows; first += 700) {
    const size_t count = std::min<size_t>(700, full.rows - first);
    full.columns[3].read(full.columns[3].data, first, std::span(read_keys).subspan(first, count),
                         valid.subspan(first, count));
  }
  size_t row = 0, listed = 0;
  for (uint32_t set = 0; set < expected.size(); ++set) {
    EXPECT_EQ(set_ids.rows_of(set_ids.data, ids[set]), std::pair(row, row + expected[set].size()));
    size_t leaf = 0, listed_of_set = 0;
    args.for_each_leaf(ids[set], [&](const ArgRow& each) {
      const ArgRow& wanted = expected[set][leaf++];
      EXPECT_EQ(each.value, wanted.value);
      EXPECT_EQ(each.key, wanted.key);
      EXPECT_EQ(each.unlisted, wanted.unlisted);
    });
    EXPECT_EQ(leaf, expected[set].size());
    for (const ArgRow& wanted : expected[set]) {
      const StringId path = args.keys[wanted.key].full_path();
      EXPECT_EQ(cell(set_ids, row, strings).integer, int64_t{ids[set]});
      EXPECT_EQ(cell(full.columns[3], row, strings).text, strings.get(path));
      EXPECT_EQ(read_keys[row], int64_t{path.row});
      EXPECT_EQ(cell(full.columns[7], row, strings).text, name_of(wanted.type));
      ++row;
      if (wanted.unlisted) continue;
      EXPECT_EQ(args.set(ids[set])[listed_of_set++].value, wanted.value);
      EXPECT_EQ(cell(view.columns[1], listed, strings).integer, int64_t{ids[set]});
      EXPECT_EQ(cell(view.columns[4], listed++, strings).integer, wanted.value);
    }
    EXPECT_EQ(args.set(ids[set]).size(), listed_of_set);
  }
  EXPECT_EQ(full.rows, row);
  EXPECT_EQ(view.rows, listed);
}

// Compares ids, in both tables, with those of a list of sets. Some sets have no rows.
TEST(ArgsTable, IdsAreFirstRows) {
  StringPool strings;
  for (const uint32_t rowless_percent : {0U, 30U, 100U}) {
    std::mt19937_64 random(rowless_percent);
    ArgsTable args;
    args.keys.resize(3);
    struct Expected {
      uint32_t id;
      std::vector<ArgRow> leaves;
      size_t listed = 0;
    };
    std::vector<Expected> sets;
    size_t rows = 0;
    uint32_t next_rowless = ArgsTable::kLastId;
    for (int i = 0; i < 1500; ++i) {
      Expected set{};
      const bool is_rowless = random() % 100 < rowless_percent;
      const size_t size = 1 + random() % (i % 500 == 7 ? 300 : 5);
      for (size_t k = 0; k < size; ++k) {
        set.leaves.push_back(arg(static_cast<uint32_t>(random() % 3), ArgType::Int, i));
        set.leaves.back().unlisted = is_rowless || (k != 0 && random() % 5 == 0);
        set.listed += set.leaves.back().unlisted ? 0 : 1;
      }
      set.id = args.add(set.leaves);
      ASSERT_EQ(set.id, is_rowless ? next_rowless-- : rows);
      rows += set.listed;
      sets.push_back(set);
    }
    ASSERT_EQ(args.rows(), rows);
    const TableView view = args.view(), full = args.full_view();
    const ColumnView &ids = view.columns[1], &ids_of_leaves = full.columns[1];
    EXPECT_EQ(ids_of_leaves.order == Order::Sorted, rowless_percent == 0);
    size_t row = 0, leaf = 0, number = 0;
    for (const Expected& set : sets) {
      EXPECT_EQ(args.set(set.id).size(), set.listed);
      EXPECT_TRUE(args.holds(set.id, args.record(set.leaves)));
      if (set.listed == 0) {
        EXPECT_EQ(args.rows_of_set(set.id), std::pair(size_t{0}, size_t{0}));
      } else {
        EXPECT_EQ(ids.rows_of(ids.data, set.id), std::pair(row, row + set.listed));
      }
      EXPECT_EQ(args.leaves_of_set(set.id), std::pair(leaf, leaf + set.leaves.size()));
      for (size_t i = 0; i < set.listed; ++i, ++row) {
        ASSERT_EQ(cell(ids, row, strings).integer, int64_t{set.id}) << row;
        ASSERT_EQ(args.row(row).value, set.leaves[0].value);
        // No other row than the first one is an id.
        EXPECT_EQ(args.set(static_cast<uint32_t>(row)).empty(), i != 0);
      }
      for (const ArgRow& each : set.leaves) {
        ASSERT_EQ(cell(ids_of_leaves, leaf, strings).integer, int64_t{set.id}) << leaf;
        ASSERT_EQ(args.leaf(leaf++).value, each.value);
      }
    }
    args.for_each_set([&](uint32_t id, const ArgSet& set) {
      ASSERT_LT(number, sets.size());
      EXPECT_EQ(id, sets[number].id);
      EXPECT_EQ(set.size(), sets[number++].listed);
    });
    EXPECT_EQ(number, sets.size());
    EXPECT_TRUE(args.set(next_rowless).empty());
    EXPECT_EQ(args.leaves_of_set(next_rowless), std::pair(size_t{0}, size_t{0}));
    EXPECT_TRUE(args.set(~uint32_t{0}).empty());
    if (rows != 0) expect_same_when_read(view, strings, 4);
    expect_same_when_read(full, strings, 5);
  }
}

TEST(ArgsTable, DropsSetsWithoutAnId) {
  ArgsTable args(5);
  args.keys.resize(1);
  ArgRow unlisted = arg(0, ArgType::Null, 0);
  unlisted.unlisted = true;
  const ArgRow row = arg(0, ArgType::Int, 1);
  const std::array two{row, row};
  const uint32_t layout = args.add_parted_layout(std::array{ArgPart{.args = {{0, ArgType::Int}}}});
  EXPECT_EQ(args.add(two), 0U);
  EXPECT_EQ(args.add(std::span(&unlisted, 1)), 5U);
  EXPECT_EQ(args.add(two), 2U);
  EXPECT_EQ(args.add(std::span(&unlisted, 1)), OptRow::kNull);
  EXPECT_EQ(args.add(two), OptRow::kNull);
  EXPECT_EQ(args.add_parts(layout, std::array{int64_t{1}}), OptRow::kNull);
  EXPECT_EQ(args.dropped_sets(), 3U);
  EXPECT_EQ(args.sets(), 3U);
  EXPECT_EQ(args.rows(), 4U);
  EXPECT_TRUE(args.set(OptRow::kNull).empty());
}

TEST(ArgsTable, LargeIntegersAreRealsExceptInTheFullView) {
  StringPool strings;
  ArgsTable args;
  const StringId a = strings.intern("a");
  args.keys = {{a, a}};
  const ArgRow large[] = {arg(0, ArgType::UintAsReal, -1)};
  args.add(large);
  const TableView view = args.view(), full = args.full_view();
  EXPECT_EQ(cell(view.columns[6], 0, strings).real, 18446744073709551616.0);
  EXPECT_EQ(cell(view.columns[7], 0, strings).text, "real");
  EXPECT_EQ(cell(full.columns[4], 0, strings).integer, -1);
  EXPECT_EQ(cell(full.columns[6], 0, strings).kind, Cell::Kind::Null);
  EXPECT_EQ(cell(full.columns[7], 0, strings).text, "uint");
  EXPECT_EQ(value_of(*args.find(0, a), strings).real, 18446744073709551616.0);
}

}  // namespace
}  // namespace tracebraid
