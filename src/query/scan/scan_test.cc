#include "query/scan/scan.h"

#include <gtest/gtest.h>

#include "query/scan/row_index.h"

namespace tracebraid {
namespace {

class ScanTest : public testing::Test {
 protected:
  std::unique_ptr<Table> make() {
    for (int64_t row = 0; row < 100'000; ++row) {
      ts.append(row / 3);
      odd.append(static_cast<uint32_t>(row % 2));
      far.append((row % 1000) * 1'000'000'000'000 - 5);
    }
    const TableView view{"t",
                         "",
                         ts.size(),
                         {{.name = "id", .order = Order::Sorted},
                          column_view("ts", "", Order::Sorted, ts),
                          column_view("odd", "", Order::None, odd),
                          column_view("far", "", Order::None, far)}};
    return std::make_unique<Table>(view, strings);
  }

  // Returns all rows, or those before the stop.
  std::vector<uint32_t> rows(const Plan& plan, std::span<const Scan::Operand> operands) {
    std::vector<uint32_t> found;
    going = scan.start(table, plan, operands, check);
    for (; going && !scan.at_end(); going = scan.next()) {
      found.push_back(scan.row());
      if (found.size() == stop_after) stop->request();
    }
    return found;
  }

  StringPool strings;
  std::shared_ptr<Stop> stop = std::make_shared<Stop>();
  StopCheck check{stop, std::nullopt};
  Column<int64_t> ts, far;
  Column<uint32_t> odd;
  size_t stop_after = ~size_t{0};
  bool going = true;
  std::unique_ptr<Table> made = make();
  Table& table = *made;
  Scan scan;
};

TEST_F(ScanTest, StopsBetweenBlocks) {
  stop_after = 10;
  const std::vector<uint32_t> found = rows(plan_of("", table), {});
  EXPECT_FALSE(going);
  EXPECT_GE(found.size(), 10u);
  EXPECT_LT(found.size(), 1000u);
}

TEST_F(ScanTest, StopsInsideOneLongFilter) {
  stop->request();  // as if requested while no row is found
  const Cell none = Cell::of(int64_t{7});
  const Scan::Operand operand{{&none, 1}};
  EXPECT_TRUE(rows(plan_of("odd = const", table), {&operand, 1}).empty());
  EXPECT_FALSE(going);
}

TEST_F(ScanTest, StopsBeforeSorting) {
  stop->request();
  EXPECT_TRUE(rows(plan_of("order by odd desc", table), {}).empty());
  EXPECT_FALSE(going);
}

TEST_F(ScanTest, MakesAnIndexAtTheFourthLookup) {
  const Plan plan = plan_of("odd = ?", table);
  const Cell one = Cell::of(int64_t{1});
  const Scan::Operand operand{{&one, 1}};
  const auto first = rows(plan, {&operand, 1});
  for (int again = 0; again < 2; ++again) rows(plan, {&operand, 1});
  EXPECT_EQ(table.study(table.view().columns[2]).index(), nullptr);
  const auto fourth = rows(plan, {&operand, 1});
  EXPECT_NE(table.study(table.view().columns[2]).index(), nullptr);
  EXPECT_EQ(first.size(), 50'000u);
  EXPECT_EQ(first, fourth);
}

TEST_F(ScanTest, PlansSurviveTheirText) {
  for (const char* text :
       {"", "id = ?", "ts >= const; odd isnot ?; reversed", "odd in ?; order by odd desc, far asc",
        "far notnull ?", "rowid < const; descending by ts desc"})
    EXPECT_EQ(text_of(plan_of(text, table)), text);
}

TEST_F(ScanTest, IndexOfNumbersFarApart) {
  const auto index = RowIndex::build(table.view().columns[3], table.rows(), check);
  ASSERT_TRUE(index);
  EXPECT_EQ(index->distinct(), 1000u);
  EXPECT_EQ(index->rows_of(-5).size(), 100u);
  EXPECT_EQ(index->rows_of(-5)[1], 1000u);
  EXPECT_TRUE(index->rows_of(-4).empty());
  EXPECT_EQ(index->rows_of(999 * 1'000'000'000'000 - 5).back(), 99'999u);
}

}  // namespace
}  // namespace tracebraid
