// CREATE PERFETTO INDEX over several columns: equality on the first columns and a range of the next
// one come from the index, with the rows of a table without it, in the same order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

class Indexes : public testing::Test {
 protected:
  Indexes() {
    const std::string rows =
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999) "
        "SELECT i * 7919 % 10 AS a, i * 104729 % 101 - 3 AS b, 'name ' || (i * 31 % 7) AS name, "
        "CASE WHEN i % 5 != 0 THEN i * 13 % 17 END AS maybe, i % 3 / 2.0 AS value, i AS sorted "
        "FROM n";
    EXPECT_EQ(rows_of(connection, "CREATE PERFETTO TABLE plain AS " + rows +
                                      ";CREATE PERFETTO TABLE indexed AS " + rows +
                                      ";CREATE PERFETTO INDEX of_two ON indexed(a, b);"
                                      "CREATE PERFETTO INDEX of_three ON indexed(name, maybe, b);"
                                      "CREATE PERFETTO INDEX of_one ON indexed(b);"
                                      "CREATE PERFETTO INDEX of_real ON indexed(maybe, value);"
                                      "CREATE PERFETTO INDEX of_sorted ON indexed(sorted, a)"),
              "");
  }

  // How the scan of `indexed` found its rows.
  std::string access(const std::string& where) {
    QueryStats stats;
    connection.set_stats(&stats);
    rows_of(connection, "SELECT * FROM indexed WHERE " + where);
    connection.set_stats(nullptr);
    EXPECT_EQ(stats.statements.size(), 1U);
    EXPECT_EQ(stats.statements[0].operators.size(), 1U);
    return stats.statements[0].operators[0].access;
  }
  void expect_same(const std::string& rest) {
    EXPECT_EQ(rows_of(connection, "SELECT * FROM indexed " + rest),
              rows_of(connection, "SELECT * FROM plain " + rest))
        << rest;
  }

  StringPool strings;
  Connection connection = std::move(*connect_to({}, strings, {}, ""));
};

TEST_F(Indexes, ServeEqualityAndARange) {
  EXPECT_EQ(access("a = 3 AND b = 7"), "index of a, b");
  EXPECT_EQ(access("a = 3 AND b > 92"), "index of a, b");
  EXPECT_EQ(access("b BETWEEN 40 AND 42"), "index of b");
  EXPECT_EQ(access("name = 'name 2' AND maybe = 4 AND b < 10"), "index of name, maybe, b");
  EXPECT_EQ(access("name = 'name 2' AND maybe < 3"), "index of name, maybe");
  EXPECT_EQ(access("name = 'name 2' AND b = 10"), "index of b");
  EXPECT_EQ(access("a = 3"), "index of a");
  EXPECT_EQ(access("value = 0.5"), "all rows");
  // Nearly all rows: reading them in order is faster.
  EXPECT_EQ(access("b > 0"), "all rows");
  EXPECT_EQ(access("sorted < 10 AND a = 2"), "row number");
  EXPECT_EQ(access("b > 40 AND b < 40"), "index of b");
}

TEST_F(Indexes, ChangeNoResult) {
  std::mt19937 random(1);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  const char* columns[] = {"a", "b", "maybe", "value", "sorted"};
  const char* ops[] = {"=", "=", "=", "<", "<=", ">", ">=", "!=", "IS", "IS NOT"};
  const char* orders[] = {
      "", "", " ORDER BY b", " ORDER BY name DESC, b", " ORDER BY sorted DESC", " LIMIT 5"};
  for (int i = 0; i < 200; ++i) {
    std::string where;
    for (int n = pick(1, 4); n > 0; --n) {
      where += where.empty() ? "WHERE " : " AND ";
      const int kind = pick(0, 9);
      if (kind == 0)
        where += fmt::format("name = 'name {}'", pick(0, 8));
      else if (kind == 1)
        where += fmt::format("{} IS {}NULL", columns[pick(0, 4)], pick(0, 1) == 0 ? "NOT " : "");
      else if (kind == 2)
        where += fmt::format("{} IN ({}, {})", columns[pick(0, 4)], pick(-4, 20), pick(-4, 20));
      else
        where += fmt::format("{} {} {}", columns[pick(0, 4)], ops[pick(0, 9)], pick(-5, 99));
    }
    expect_same(where + orders[pick(0, 5)]);
  }
}

// What an index shares with another one stays until the last of them is dropped.
TEST_F(Indexes, AreFreedByDrop) {
  EXPECT_EQ(rows_of(connection,
                    "CREATE PERFETTO INDEX again ON indexed(a, b);"
                    "DROP PERFETTO INDEX of_two ON indexed"),
            "");
  EXPECT_EQ(access("a = 3 AND b > 92"), "index of a, b");
  EXPECT_EQ(rows_of(connection, "DROP PERFETTO INDEX again ON indexed"), "");
  EXPECT_EQ(access("a = 3"), "all rows");
  EXPECT_EQ(access("b BETWEEN 40 AND 42"), "index of b");
  // The index of `b` alone is replaced by one of another column.
  EXPECT_EQ(rows_of(connection, "CREATE OR REPLACE PERFETTO INDEX of_one ON indexed(maybe)"), "");
  EXPECT_EQ(access("b BETWEEN 40 AND 42"), "all rows");
  EXPECT_EQ(access("maybe = 3"), "index of maybe");
  expect_same("WHERE a = 3 AND b = 7");
}

TEST_F(Indexes, ServeJoins) {
  EXPECT_EQ(rows_of(connection,
                    "SELECT count(*) AS n, sum(x.sorted) AS s FROM plain p CROSS JOIN indexed x ON "
                    "x.a = p.a AND x.b = p.b WHERE p.sorted < 500"),
            rows_of(connection,
                    "SELECT count(*) AS n, sum(x.sorted) AS s FROM plain p CROSS JOIN plain x ON "
                    "x.a = p.a AND x.b = p.b WHERE p.sorted < 500"));
}

}  // namespace
}  // namespace tracebraid
