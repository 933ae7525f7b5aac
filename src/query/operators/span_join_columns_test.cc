// Span joins that are grouped by columns against plain SQL over their rows, on random intervals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

struct Stored {
  Column<int64_t> ts, dur;
  Column<OptInt> part, id;
  Column<StringId> label;

  TableView view(std::string_view name, std::string_view id_name,
                 std::string_view label_name) const {
    return {name,
            "",
            ts.size(),
            {column_view("ts", "", Order::None, ts), column_view("dur", "", Order::None, dur),
             column_view("part", "", Order::None, part), column_view(id_name, "", Order::None, id),
             column_view(label_name, "", Order::None, label)}};
  }
};

class SpanJoinColumns : public testing::Test {
 protected:
  int64_t below(int64_t end) { return std::uniform_int_distribution<int64_t>(0, end - 1)(random); }

  // Intervals that mostly follow one another in each of `parts` partitions.
  void fill(Stored& stored, int64_t rows, int64_t parts) {
    std::vector<int64_t> ends(static_cast<size_t>(parts));
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t part = below(parts);
      int64_t& end = ends[static_cast<size_t>(part)];
      const int64_t ts = end + below(4), dur = std::max<int64_t>(0, below(9) - 1);
      end = below(20) == 0 ? ts : ts + dur;
      stored.ts.append(ts);
      stored.dur.append(dur);
      stored.part.append(below(30) == 0 ? OptInt{} : OptInt{part - 1});
      stored.id.append(below(5) == 0 ? OptInt{} : OptInt{below(20) - 10});
      stored.label.append(below(5) == 0 ? StringId{}
                                        : strings.intern(fmt::format("label{}", below(4))));
    }
  }

  void open(int64_t rows, int64_t parts, unsigned threads = 2) {
    a = {}, b = {};
    fill(a, rows, parts);
    fill(b, rows, parts);
    reopen(threads);
  }
  void reopen(unsigned threads) {
    connection = Connection::open(std::make_shared<const TableSet>(
        TableSetParts{.tables = {a.view("a", "x", "label_a"), b.view("b", "y", "label_b")},
                      .strings = &strings,
                      .prelude = "CREATE VIEW c AS SELECT ts + 0 AS ts, dur, part, y, "
                                 "label_b || '' AS label_b FROM b;"
                                 "CREATE VIEW d AS SELECT ts, dur, y, label_b FROM b "
                                 "WHERE part = 0;",
                      .threads = threads}));
    ASSERT_TRUE(connection);
    connection->set_least_rows_to_group(0);
  }

  // Whether the statement computes the rows of a span join as columns.
  bool uses_columns(const std::string& sql) {
    QueryStats stats;
    connection->set_stats(&stats);
    rows_of(*connection, sql);
    connection->set_stats(nullptr);
    for (const QueryStats::Statement& statement : stats.statements)
      for (const QueryStats::Operator& used : statement.operators)
        if (used.name == "span join") return true;
    return false;
  }

  std::mt19937 random{7};
  Stored a, b;
  StringPool strings;
  Result<Connection> connection = fail(ErrorCode::Sql, "not open");
};

constexpr const char* kJoins[] = {"span_join", "span_left_join", "span_outer_join"};

// {0} is the table.
constexpr const char* kStatements[] = {
    "SELECT count(*), sum(dur), min(ts), max(ts), avg(dur) FROM {0}",
    ("SELECT part, count(*), count(x), count(label_b), sum(y), min(x), max(label_a) FROM {0} "
     "GROUP BY part ORDER BY part"),
    "SELECT x, y, sum(dur) FROM {0} GROUP BY x, y ORDER BY 1, 2",
    "SELECT label_a, label_b, total(dur) FROM {0} WHERE dur > 0 GROUP BY 1, 2 ORDER BY 1, 2",
    "SELECT label_b, sum(dur) FROM {0} WHERE label_b = 'label1' AND ts > 5 GROUP BY 1",
    ("SELECT part, sum(dur) FROM {0} WHERE label_a GLOB '*[12]' AND y NOTNULL GROUP BY 1 "
     "ORDER BY 1"),
    ("SELECT s.x, p.label_a, count(*) FROM {0} s JOIN a p ON p.ts = s.x GROUP BY 1, 2 "
     "ORDER BY 1, 2"),
};

TEST_F(SpanJoinColumns, GroupLikeTheirRows) {
  for (int round = 0; round < 8; ++round) {
    ASSERT_NO_FATAL_FAILURE(open(1 + below(round % 2 == 0 ? 20 : 400), 1 + below(5)));
    for (const char* join : kJoins)
      for (const char* other : {"b PARTITIONED part", "c PARTITIONED part", "d"}) {
        ASSERT_EQ(rows_of(*connection,
                          fmt::format("DROP TABLE IF EXISTS s; DROP TABLE IF EXISTS copy;"
                                      "CREATE VIRTUAL TABLE s USING {}(a PARTITIONED part, {});"
                                      "CREATE TABLE copy AS SELECT * FROM s LIMIT -1",
                                      join, other)),
                  "");
        for (const char* statement : kStatements) {
          const std::string sql = fmt::format(fmt::runtime(statement), "s");
          EXPECT_EQ(rows_of(*connection, sql),
                    rows_of(*connection, fmt::format(fmt::runtime(statement), "copy")))
              << sql << ' ' << join << ' ' << other;
          // The type of an expression of a view is unknown before its rows.
          EXPECT_TRUE(uses_columns(sql) || other[0] == 'c') << sql << ' ' << other;
        }
      }
  }
}

TEST_F(SpanJoinColumns, GroupThroughViews) {
  ASSERT_NO_FATAL_FAILURE(open(300, 3));
  ASSERT_EQ(
      rows_of(*connection,
              "CREATE VIRTUAL TABLE s USING span_join(a PARTITIONED part, b PARTITIONED part);"
              "CREATE TABLE copy AS SELECT * FROM s LIMIT -1;"
              "CREATE VIEW v AS SELECT dur AS d, label_a AS name FROM s;"
              "CREATE VIEW w AS SELECT dur AS d, label_a AS name FROM copy"),
      "");
  const std::string sql = "SELECT name, count(*), sum(d) FROM v GROUP BY name ORDER BY name";
  EXPECT_TRUE(uses_columns(sql));
  EXPECT_EQ(
      rows_of(*connection, sql),
      rows_of(*connection, "SELECT name, count(*), sum(d) FROM w GROUP BY name ORDER BY name"));
}

// SQLite looks up partitions faster than all rows are computed, and reads values of any type.
TEST_F(SpanJoinColumns, LeaveStatementsToSqlite) {
  ASSERT_NO_FATAL_FAILURE(open(300, 3));
  ASSERT_EQ(
      rows_of(*connection,
              "CREATE VIEW mixed AS SELECT ts, dur, part, iif(y > 0, y, 'text') AS z FROM b;"
              "CREATE VIRTUAL TABLE s USING span_join(a PARTITIONED part, b PARTITIONED part);"
              "CREATE VIRTUAL TABLE m USING span_join(a PARTITIONED part, mixed PARTITIONED "
              "part);"),
      "");
  EXPECT_FALSE(uses_columns("SELECT count(*) FROM s WHERE part = 1"));
  EXPECT_FALSE(uses_columns("SELECT count(*) FROM s JOIN a p ON p.x = s.part WHERE p.dur > 3"));
  EXPECT_EQ(rows_of(*connection, "SELECT count(z) > 0, count(DISTINCT typeof(z)) FROM m"),
            "count(z) > 0, count(DISTINCT typeof(z))\n1, 2\n--\n");
  const std::string sql = "SELECT z, count(*) FROM m GROUP BY z ORDER BY z";
  const std::string grouped = rows_of(*connection, sql);
  connection->set_least_rows_to_group(~size_t{0});
  EXPECT_EQ(grouped, rows_of(*connection, sql));
}

TEST_F(SpanJoinColumns, AreTheSameForAnyNumberOfThreads) {
  ASSERT_NO_FATAL_FAILURE(open(60'000, 9, 1));
  const std::string create =
      "CREATE VIRTUAL TABLE s USING span_outer_join(a PARTITIONED part, c PARTITIONED part)";
  // The order of the groups is that of their first rows.
  const std::string sql =
      "SELECT label_a, y, label_b, count(*), sum(dur) FROM s GROUP BY 1, 2, 3;"
      "SELECT part, count(*), sum(dur), min(ts), max(ts) FROM s GROUP BY part";
  ASSERT_EQ(rows_of(*connection, create), "");
  const std::string with_one = rows_of(*connection, sql);
  EXPECT_NE(with_one.find("label1"), std::string::npos);
  ASSERT_NO_FATAL_FAILURE(reopen(4));
  ASSERT_EQ(rows_of(*connection, create), "");
  EXPECT_TRUE(uses_columns(sql));
  EXPECT_EQ(rows_of(*connection, sql), with_one);
}

// SQLite gives the rows one by one if all of them together are too many.
TEST_F(SpanJoinColumns, GiveUpAtALimit) {
  a = {}, b = {};
  constexpr int64_t kRows = 1500;
  for (Stored* stored : {&a, &b})
    for (int64_t i = 0; i < kRows; ++i) {  // all overlap: 2.25 million pairs
      stored->ts.append(i);
      stored->dur.append(kRows);
      stored->part.append({1});
      stored->id.append({i});
      stored->label.append({});
    }
  ASSERT_NO_FATAL_FAILURE(reopen(2));
  ASSERT_EQ(
      rows_of(*connection,
              "CREATE VIRTUAL TABLE s USING span_join(a PARTITIONED part, b PARTITIONED part)"),
      "");
  EXPECT_EQ(rows_of(*connection, "SELECT count(*) FROM s"), "count(*)\n2250000\n--\n");
  EXPECT_EQ(rows_of(*connection, "SELECT count(*) FROM s", {.most_bytes = 1'000'000}),
            "count(*)\n2250000\n--\n");
  EXPECT_EQ(rows_of(*connection, "SELECT count(*) FROM s", {.most_bytes = 50'000}),
            "error: the query takes more than its limit of 50000 bytes");
}

}  // namespace
}  // namespace tracebraid
