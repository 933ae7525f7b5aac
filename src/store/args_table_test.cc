#include "store/args_table.h"

#include <gtest/gtest.h>

#include <bit>

namespace tracebraid {
namespace {

TEST(ArgsTable, ReadsAsRowsOfTheirSets) {
  StringPool strings;
  ArgsTable args;
  const StringId a = strings.intern("args.a");
  const StringId a0 = strings.intern("args.a[0]");
  args.keys = {{a, a0}, {a, a}};
  args.set_begin = {0, 1};
  args.rows = {{7, 1, ArgType::Int, true},
               {std::bit_cast<int64_t>(1.5), 0, ArgType::Real, false},
               {strings.intern("x").row, 1, ArgType::String, true}};
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

  ASSERT_NE(args.find(1, a), nullptr);
  EXPECT_EQ(value_of(*args.find(1, a), strings).text, "x");
  EXPECT_EQ(args.find(0, a0), nullptr);
  EXPECT_TRUE(args.set(99).empty());
}

}  // namespace
}  // namespace tracebraid
