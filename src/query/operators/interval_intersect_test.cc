// Intersections of intervals against plain SQL, on random intervals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

std::string intersection(size_t tables, std::string_view columns, std::string_view partition) {
  std::string sql = fmt::format(
      "SELECT c0 AS ts, c1 AS dur{} FROM __intrinsic_table_columns("
      "__intrinsic_interval_intersect(",
      columns);
  for (size_t i = 0; i < tables; ++i)
    sql += fmt::format("(SELECT __intrinsic_interval_tree_intervals_agg(id, ts, dur{}) FROM t{}), ",
                       partition.empty() ? "" : fmt::format(", '{0}', {0}", partition), i);
  return sql + fmt::format("'({})'))", partition);
}

class IntervalIntersect : public testing::Test {
 protected:
  int64_t below(int64_t end) { return std::uniform_int_distribution<int64_t>(0, end - 1)(random); }
  void fill(size_t tables, int64_t rows) {
    for (size_t i = 0; i < tables; ++i) {
      run(fmt::format("DROP TABLE IF EXISTS t{0}; CREATE TABLE t{0}(id, ts, dur, p)", i));
      for (int64_t id = below(rows); id > 0; --id)
        run(fmt::format("INSERT INTO t{} VALUES ({}, {}, {}, {})", i, id, below(30),
                        std::max<int64_t>(0, below(9) - 1), kParts[below(5)]));
    }
  }
  void run(const std::string& sql) { ASSERT_EQ(rows_of(*connection, sql), ""); }

  static constexpr const char* kParts[] = {"NULL", "1", "'1'", "2.5", "'b'"};
  std::mt19937 random{1};
  StringPool strings;
  Result<Connection> connection = connect_to({}, strings, {}, "");
};

TEST_F(IntervalIntersect, EqualsAJoin) {
  const auto meets = [](int a, int b) {
    return fmt::format(
        "(t{0}.ts = t{1}.ts OR (t{0}.ts < t{1}.ts + t{1}.dur AND t{1}.ts < t{0}.ts + t{0}.dur))", a,
        b);
  };
  for (int round = 0; round < 20; ++round) {
    fill(3, 25);
    EXPECT_EQ(rows_of(*connection, intersection(2, ", c2 AS id_0, c3 AS id_1, c17 AS p", "p") +
                                       " ORDER BY 1, 2, 3, 4"),
              rows_of(*connection,
                      "SELECT max(t0.ts, t1.ts) AS ts, min(t0.ts + t0.dur, t1.ts + t1.dur) - "
                      "max(t0.ts, t1.ts) AS dur, t0.id AS id_0, t1.id AS id_1, t0.p AS p "
                      "FROM t0 JOIN t1 ON t0.p IS t1.p AND " +
                          meets(0, 1) + " ORDER BY 1, 2, 3, 4"));
    // Three intervals that meet in pairs share time, or an instant of one of them.
    EXPECT_EQ(
        rows_of(*connection, intersection(3, ", c2 AS id_0, c3 AS id_1, c4 AS id_2", "") +
                                 " ORDER BY 1, 2, 3, 4, 5"),
        rows_of(*connection,
                "SELECT max(t0.ts, t1.ts, t2.ts) AS ts, min(t0.ts + t0.dur, t1.ts + t1.dur, "
                "t2.ts + t2.dur) - max(t0.ts, t1.ts, t2.ts) AS dur, t0.id AS id_0, t1.id AS id_1, "
                "t2.id AS id_2 FROM t0 JOIN t1 ON " +
                    meets(0, 1) + " JOIN t2 ON " + meets(0, 2) + " AND " + meets(1, 2) +
                    " ORDER BY 1, 2, 3, 4, 5"));
  }
}

// Partitions that are shorter than what lies between two checks.
TEST_F(IntervalIntersect, ChecksForAStopBeforeEachPartition) {
  constexpr uint64_t kPartitions = 5000;
  run(
      fmt::format("CREATE TABLE t0 AS WITH RECURSIVE n(id) AS (SELECT 0 UNION ALL SELECT id + 1 "
                  "FROM n WHERE id < {}) SELECT id, id AS ts, {} AS dur, id % {} AS p FROM n;"
                  "CREATE TABLE t1 AS SELECT * FROM t0",
                  8 * kPartitions, 2 * kPartitions, kPartitions));
  const auto stop = std::make_shared<Stop>();
  const std::string sql =
      fmt::format("SELECT count(*) FROM ({})", intersection(2, ", c2 AS id_0", "p"));
  // Once before each partition and once behind it.
  TextRows rows;
  stop->request_at(~uint64_t{0});
  ASSERT_TRUE(tracebraid::run(*connection, sql, rows, {.stop = stop}));
  EXPECT_GE(stop->calls(), 2 * kPartitions);
}

TEST_F(IntervalIntersect, BindsNames) {
  run("CREATE TABLE t0(id, ts, dur); INSERT INTO t0 VALUES (3, 5, 10);"
      "CREATE TABLE t1(id, ts, dur); INSERT INTO t1 VALUES (4, 0, 10)");
  const std::string from =
      " FROM __intrinsic_table_ptr(__intrinsic_interval_intersect("
      "(SELECT __intrinsic_interval_tree_intervals_agg(id, ts, dur) FROM t0),"
      "(SELECT __intrinsic_interval_tree_intervals_agg(id, ts, dur) FROM t1), '()')) WHERE ";
  const auto bind = [](int column, std::string_view name) {
    return fmt::format("__intrinsic_table_ptr_bind(c{}, '{}')", column, name);
  };
  EXPECT_EQ(rows_of(*connection, "SELECT c0 AS id_1, c1 AS ts" + from + bind(0, "id_1") + " AND " +
                                     bind(1, "ts")),
            "id_1, ts\n4, 5\n--\n");
  // More names than constraints that SQLite omits to check again.
  std::string names, all, columns;
  for (int i = 0; i < 20; ++i) {
    names += fmt::format("{}'n{}', {}", i == 0 ? "" : ", ", i, i * i);
    columns += fmt::format("{}c{} AS n{}", i == 0 ? "" : ", ", i, i);
    all += fmt::format("{}{}", i == 0 ? "" : " AND ", bind(i, fmt::format("n{}", i)));
  }
  const std::string many =
      rows_of(*connection, fmt::format("SELECT {} FROM __intrinsic_table_ptr((SELECT "
                                       "__intrinsic_row_dataframe_agg({}))) WHERE {}",
                                       columns, names, all));
  EXPECT_NE(many.find("\n0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, "
                      "289, 324, 361\n"),
            std::string::npos)
      << many;
  const auto error = [&](const std::string& binds) {
    const std::string text = rows_of(*connection, "SELECT c0" + from + binds);
    return text.substr(text.rfind('\n') + 1);
  };
  EXPECT_EQ(error(bind(1, "ts")), "Bound columns are not dense");
  EXPECT_EQ(error("1"), "At least one column must be bound");
  EXPECT_EQ(error(bind(0, "ts") + " AND " + bind(0, "dur")), "Duplicate bound column");
  EXPECT_EQ(error(bind(0, "x")), "column 'x' does not exist in table");
  EXPECT_NE(rows_of(*connection, "SELECT __intrinsic_table_ptr_bind(1, 'x')")
                .find("__intrinsic_table_ptr_bind should not be called from the global scope"),
            std::string::npos);
  EXPECT_NE(rows_of(*connection, "SELECT * FROM __intrinsic_table_columns(NULL)")
                .find("tab parameter is NULL"),
            std::string::npos);
}

TEST_F(IntervalIntersect, RefusesBadInput) {
  run("CREATE TABLE t0(id, ts, dur, p); INSERT INTO t0 VALUES (3, 5, -1, 1);"
      "CREATE TABLE t1(id, ts, dur, p)");
  const auto error = [&](const std::string& sql) {
    const std::string text = rows_of(*connection, sql);
    return text.substr(text.rfind("interval"));
  };
  EXPECT_NE(rows_of(*connection, intersection(2, "", ""))
                .find("Interval intersect only works on intervals with non negative duration."),
            std::string::npos);
  run("UPDATE t0 SET dur = 5");
  EXPECT_EQ(rows_of(*connection, intersection(2, "", "")), "ts, dur\n--\n");
  EXPECT_EQ(rows_of(*connection, intersection(1, "", "")), "ts, dur\n5, 5\n--\n");
  EXPECT_EQ(error("SELECT __intrinsic_interval_intersect(1, 2, NULL)"),
            "interval intersect: column list cannot be null");
  EXPECT_EQ(error("SELECT __intrinsic_interval_intersect(1, 2, '(a, b, c, d, e)')"),
            "interval intersect: Can take at most 4 partitions.");
  EXPECT_EQ(
      error("SELECT __intrinsic_interval_intersect(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,'()')"),
      "interval intersect: Can intersect at most 15 tables");
}

// The statement reads the result as a table of columns, or SQLite passes rows to the aggregates.
TEST_F(IntervalIntersect, GivesTheSameColumnByColumn) {
  const auto table = [](size_t tables, std::string_view columns, std::string_view partition) {
    std::string sql = fmt::format(
        "(SELECT c0 AS ts, c1 AS dur{} FROM __intrinsic_table_columns("
        "__intrinsic_interval_intersect(",
        columns);
    for (size_t i = 0; i < tables; ++i)
      sql += fmt::format(
          "(SELECT __intrinsic_interval_tree_intervals_agg(input.id, input.ts, input.dur{}) FROM "
          "{} AS input), ",
          partition.empty() ? "" : fmt::format(", '{0}', input.{0}", partition),
          i == 0 ? "t0" : "(SELECT * FROM t1 WHERE id != 3)");
    return sql + fmt::format("'({})')))", partition);
  };
  const std::string ids = ", c2 AS id_0, c3 AS id_1", plain = table(2, ids, ""),
                    parts = table(2, ids + ", c17 AS p", "p");
  const std::string statements[] = {
      "SELECT * FROM " + plain,
      "SELECT * FROM " + parts,
      "SELECT count(*), sum(dur), min(ts), max(id_1) FROM " + parts,
      "SELECT p, count(*), sum(dur) FROM " + parts + " GROUP BY p",
      "SELECT id_0, ts FROM " + parts + " WHERE id_1 = 2 AND dur > 1 ORDER BY dur DESC, ts, id_0",
      "SELECT * FROM " + parts + " AS a WHERE a.id_0 = '2' OR a.p = '1'",
      "SELECT typeof(p), typeof(id_0), typeof(dur), id_0 IN ('2', 3) FROM " + parts +
          " WHERE p = 1",
      "SELECT a.ts, t0.ts, t0.p FROM " + parts + " AS a JOIN t0 ON t0.id = a.id_0 ORDER BY 1, 2, 3",
      "SELECT count(*) FROM " + plain + " a JOIN " + parts + " b USING (ts, dur)",
      "SELECT ts IN " + plain + " FROM t0",
      "SELECT EXISTS " + plain,
      "WITH t0 AS (SELECT id, ts, dur + 1 AS dur, p FROM t1) SELECT sum(dur) FROM " + plain,
      "SELECT t0.id, (SELECT sum(a.dur) FROM " + parts + " a WHERE a.id_0 = t0.id) FROM t0",
      "SELECT * FROM " + table(2, ", c30 AS x", ""),
      "SELECT * FROM " + table(2, ", c5 AS x", "p"),
      "SELECT * FROM " + table(2, "", "q"),
      "SELECT 1 UNION ALL SELECT ts FROM " + parts + " LIMIT 3",
      "SELECT sum(dur) FROM (SELECT c0 AS ts, c1 AS dur FROM __intrinsic_table_columns("
      "__intrinsic_interval_intersect((SELECT __intrinsic_interval_tree_intervals_agg(input.id_0, "
      "input.ts, input.dur) FROM " +
          parts +
          " AS input), (SELECT __intrinsic_interval_tree_intervals_agg(input.id, input.ts, "
          "input.dur) FROM t0 AS input), '()')))"};
  for (int round = 0; round < 30; ++round) {
    fill(2, round == 0 ? 1 : 25);
    if (round % 3 != 0) run("UPDATE t0 SET p = 1 WHERE p IS NOT NULL; UPDATE t1 SET p = id % 3");
    if (round % 7 == 5) run("UPDATE t1 SET dur = -1 WHERE id = 4");
    for (const std::string& sql : statements) {
      connection->set_least_rows_to_group(~size_t{0});
      const std::string expected = rows_of(*connection, sql);
      connection->set_least_rows_to_group(0);
      ASSERT_EQ(rows_of(*connection, sql), expected) << sql;
    }
  }
}

}  // namespace
}  // namespace tracebraid
