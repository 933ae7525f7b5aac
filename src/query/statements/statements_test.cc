// Statements of the dialect on a connection.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "query/compile/answer_test.h"
#include "query/compile/rows_test.h"
#include "query/statements/session.h"

namespace tracebraid {
namespace {

// A table with the values of a rising and of a repeating column, and texts.
struct Numbers {
  StringPool strings;
  Column<int64_t> ts, part;
  Column<StringId> name;
  Column<double> real;
  TableView view;

  explicit Numbers(int64_t rows) {
    for (int64_t i = 0; i < rows; ++i) {
      ts.append(i * 10);
      part.append(i % 7);
      name.append(i % 3 == 0 ? StringId{} : strings.intern(fmt::format("n{}", i % 5)));
      real.append(static_cast<double>(i) / 2);
    }
    view = {"__intrinsic_number",
            "",
            ts.size(),
            {{.name = "id", .order = Order::Sorted},
             column_view("ts", "", Order::Sorted, ts),
             column_view("part", "", Order::None, part),
             column_view("name", "", Order::None, name),
             column_view("real", "", Order::None, real)}};
  }
};

class StatementsTest : public testing::Test {
 protected:
  std::string run(std::string_view sql) { return rows_of(connection, sql); }
  std::string last_line(std::string_view sql) {
    const std::string text = run(sql);
    return text.substr(text.rfind('\n') + 1);
  }
  static Connection connect(const Numbers& numbers) {
    Result<Connection> made = connect_to({numbers.view}, numbers.strings, {},
                                         "CREATE VIEW number AS SELECT * FROM __intrinsic_number;");
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }

  Numbers numbers{3000};
  Connection connection = connect(numbers);
};

TEST_F(StatementsTest, AConnectionIsAsNewUntilAStatementLeavesSomething) {
  for (const std::string_view sql :
       {"SELECT CASE WHEN ts > 5 THEN 'create' ELSE 'insert' END FROM number LIMIT 3",
        "SELECT replace(name, 'n', 'm') FROM number LIMIT 1",
        "SELECT no_such_column FROM number"}) {
    Connection own = connect(numbers);
    rows_of(own, sql);
    EXPECT_TRUE(own.is_as_new()) << sql;
  }
  for (const std::string_view sql :
       {"CREATE PERFETTO TABLE t AS SELECT 1 AS a", "CREATE PERFETTO VIEW v AS SELECT 1 AS a",
        "CREATE PERFETTO FUNCTION f() RETURNS INT AS SELECT 1",
        "CREATE PERFETTO MACRO m() RETURNS Expr AS 1", "INCLUDE PERFETTO MODULE no.such",
        "CREATE TEMP TABLE t AS SELECT 1", "SELECT create_function('f()', 'LONG', 'SELECT 1')",
        "SELECT import('no.such')", "SELECT experimental_memoize('f')"}) {
    Connection own = connect(numbers);
    rows_of(own, sql);
    EXPECT_FALSE(own.is_as_new()) << sql;
  }
}

TEST_F(StatementsTest, CreatedTablesHaveTheRowsOfTheirSelect) {
  const std::string rows = run("SELECT ts, part, name, real, NULL AS empty, id FROM number");
  run("CREATE PERFETTO TABLE t AS SELECT ts, part, name, real, NULL AS empty, id FROM number");
  EXPECT_EQ(run("SELECT * FROM t"), rows);
  run("CREATE PERFETTO TABLE u AS SELECT ts + 0 AS ts, part, name, real, NULL AS empty, id FROM "
      "number WHERE 1 ORDER BY ts + 0");
  EXPECT_EQ(run("SELECT * FROM u"), rows);
  EXPECT_EQ(run("SELECT count(*) AS n FROM t JOIN u USING (ts) WHERE t._auto_id = u._auto_id"),
            "n\n3000\n--\n");
}

TEST_F(StatementsTest, CreatedTablesAreScannedByColumn) {
  run("CREATE PERFETTO TABLE t AS SELECT ts, part, name FROM number");
  const Answer all = answer(connection, "SELECT ts, name FROM t WHERE ts >= 29980");
  EXPECT_TRUE(all.is_columnar);
  EXPECT_EQ(all.text, "ts, name\n29980, 'n3'\n29990, 'n4'\n--\n");
  connection.set_least_rows_to_group(0);
  const std::string groups = run("SELECT part, count(*), min(ts) FROM t GROUP BY part");
  connection.set_least_rows_to_group(1'000'000);
  EXPECT_EQ(run("SELECT part, count(*), min(ts) FROM t GROUP BY part"), groups);
  run("CREATE PERFETTO VIEW v AS SELECT part AS p, ts FROM t");
  EXPECT_TRUE(answer(connection, "SELECT p FROM v WHERE ts = 10").is_columnar);
}

TEST_F(StatementsTest, UnknownNamesHaveHints) {
  const auto hint = [&](std::string_view sql) {
    Connection own = connect(numbers);
    rows_of(own, "CREATE PERFETTO MACRO plus_one(x Expr) RETURNS Expr AS $x + 1");
    TextRows sink;
    const Result<> failed = tracebraid::run(own, sql, sink, {});
    return failed ? "no error" : failed.error().hint;
  };
  EXPECT_EQ(hint("SELECT * FROM numbr"), "did you mean number?");
  EXPECT_EQ(hint("SELECT * FROM main.numbr"), "did you mean number?");
  EXPECT_EQ(hint("SELECT name, prt FROM number"), "did you mean part?");
  EXPECT_EQ(hint("SELECT n.prt FROM number n"), "did you mean part?");
  EXPECT_EQ(hint("SELECT count_all(1), prt FROM \"number\""), "");
  EXPECT_EQ(hint("SELECT lenght(name) FROM number"), "did you mean length?");
  EXPECT_EQ(hint("SELECT plus_on!(1)"), "did you mean plus_one?");
  EXPECT_EQ(
      hint("SELECT * FROM Thread_Slice"),
      "Thread_Slice is in a module; write INCLUDE PERFETTO MODULE slices.with_context; before");
  EXPECT_EQ(hint("SELECT * FROM thread_slic"),
            "did you mean thread_slice of the module slices.with_context?");
  EXPECT_EQ(hint("SELECT sched_state_to_human_readable('R')"),
            "did you mean sched_state_to_human_readable_string of the module sched.states?");
  EXPECT_EQ(hint("SELECT intervals_overlap_count!(a, ts, dur)"),
            "intervals_overlap_count is in a module; write INCLUDE PERFETTO MODULE "
            "intervals.overlap; before");
  EXPECT_EQ(hint("SELECT * FROM xyzzy_qux_quux"), "");
  EXPECT_EQ(hint("SELECT t FROM number"), "");  // as near to ts as to many others
  EXPECT_EQ(hint("SELECT 1 FROM number WHERE"), "");
}

TEST_F(StatementsTest, HintsDoNotMakeTheDatabaseOfTemporaryTables) {
  run("SELECT nam FROM numbr");
  run("SELECT nam FROM number");
  sqlite3* const db = connection.state().db.get();
  EXPECT_EQ(sqlite3_db_filename(db, "temp"), nullptr);
  run("CREATE TEMP TABLE other(value)");
  EXPECT_NE(sqlite3_db_filename(db, "temp"), nullptr);
  TextRows sink;
  const Result<> failed = tracebraid::run(connection, "SELECT vlaue FROM other", sink, {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().hint, "did you mean value?");
}

TEST_F(StatementsTest, NullsAndExtremeIntegersSurvive) {
  const std::string values =
      "VALUES (1, -9223372036854775808, -5), (NULL, NULL, NULL), (4294967295, 3, 9e0)";
  run("CREATE PERFETTO TABLE t AS SELECT column1 AS a, column2 AS b, column3 AS c FROM (" + values +
      ")");
  EXPECT_EQ(run("SELECT * FROM t"),
            "a, b, c\n1, -9223372036854775808, -5r\nNULL, NULL, NULL\n4294967295, 3, 9r\n--\n");
  EXPECT_EQ(run("SELECT a FROM t WHERE b = 3 AND c > 8"), "a\n4294967295\n--\n");
  EXPECT_EQ(run("SELECT count(*) AS n FROM t WHERE a IS NULL AND b IS NULL"), "n\n1\n--\n");
}

TEST_F(StatementsTest, FailingReplacementKeepsTheTable) {
  run("CREATE PERFETTO TABLE t AS SELECT 1 AS a");
  EXPECT_EQ(last_line("CREATE OR REPLACE PERFETTO TABLE t AS SELECT x'00' AS a"),
            "CREATE PERFETTO TABLE(t): Bytes type is not supported");
  EXPECT_EQ(run("SELECT a FROM t"), "a\n1\n--\n");
  run("CREATE OR REPLACE PERFETTO TABLE t AS SELECT 2 AS b");
  EXPECT_EQ(run("SELECT b FROM t"), "b\n2\n--\n");
}

TEST_F(StatementsTest, DroppedTablesAreFreedUnlessATransactionMayRestoreThem) {
  run("CREATE PERFETTO TABLE t AS SELECT 1 AS a; CREATE PERFETTO TABLE Kept AS SELECT 2 AS a");
  const auto& created = connection.state().module.created;
  EXPECT_EQ(run("BEGIN; DROP TABLE t; ROLLBACK; SELECT a FROM t"), "a\n1\n--\n");
  EXPECT_EQ(created.size(), 2u);
  run("DROP TABLE t; SELECT 1");
  EXPECT_EQ(created.size(), 1u);
  EXPECT_EQ(run("SELECT a FROM KEPT"), "a\n2\n--\n");
}

TEST_F(StatementsTest, TablesAreCountedByTheLimitOfTheQuery) {
  const Result<Query> failed =
      query(connection,
            "CREATE PERFETTO TABLE t AS SELECT a.id * b.id AS x FROM number a, number b; SELECT 1",
            {.most_bytes = 100'000});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::Limit);
}

TEST_F(StatementsTest, TablesAreCountedByTheLimitOfTheEngine) {
  const auto limit = std::make_shared<MemoryLimit>(200'000);
  Result<Connection> limited = Connection::open(std::make_shared<const TableSet>(
      TableSetParts{.tables = {numbers.view}, .strings = &numbers.strings, .memory_limit = limit}));
  ASSERT_TRUE(limited);
  const std::string small =
      "CREATE PERFETTO TABLE s AS SELECT ts * 1.5 AS x FROM __intrinsic_number; SELECT 1 AS a";
  EXPECT_EQ(rows_of(*limited, small), "a\n1\n--\n");
  EXPECT_GE(limit->used(), 3000 * sizeof(double));
  const Result<Query> failed =
      query(*limited,
            "CREATE PERFETTO TABLE t AS SELECT a.ts * 0.5 AS x FROM __intrinsic_number a, "
            "__intrinsic_number b; SELECT 1");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::NoMemory);
  EXPECT_EQ(rows_of(*limited, "DROP TABLE s; SELECT 1 AS a"), "a\n1\n--\n");
  EXPECT_EQ(limit->used(), 0u);
}

TEST_F(StatementsTest, CancelsEndFunctions) {
  run("CREATE PERFETTO FUNCTION fib(n LONG) RETURNS LONG AS "
      "SELECT iif($n < 2, $n, fib($n - 1) + fib($n - 2))");
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  TextRows sink;
  const Result<> ran =
      tracebraid::run(connection, "SELECT fib(60)", sink, QueryOptions{.deadline = deadline});
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::Timeout);
}

TEST_F(StatementsTest, FunctionsRecurseToALimit) {
  run("CREATE PERFETTO FUNCTION fac(n LONG) RETURNS LONG AS "
      "SELECT iif($n < 2, 1, $n * fac($n - 1))");
  EXPECT_EQ(run("SELECT fac(10) AS f"), "f\n3628800\n--\n");
  run("CREATE PERFETTO FUNCTION endless(n LONG) RETURNS LONG AS SELECT endless($n + 1)");
  EXPECT_EQ(
      last_line("SELECT endless(0)"),
      "endless: SQLite error while executing function body: endless: recursion is deeper than "
      "1000 calls");
}

TEST_F(StatementsTest, MemoizedFunctionsDoNotNest) {
  run("CREATE PERFETTO FUNCTION sum_to(n LONG) RETURNS LONG AS "
      "SELECT iif($n = 0, 0, $n + sum_to($n - 1)); SELECT experimental_memoize('sum_to')");
  EXPECT_EQ(run("SELECT sum_to(20000) AS s"), "s\n200010000\n--\n");
  run("CREATE PERFETTO FUNCTION ring(n LONG) RETURNS LONG AS SELECT ring(($n + 1) % 5); "
      "SELECT experimental_memoize('ring')");
  EXPECT_EQ(last_line("SELECT ring(0)"), "Infinite recursion detected");
}

TEST_F(StatementsTest, MemoizedResultsAreCountedByTheLimitOfTheQuery) {
  run("CREATE PERFETTO FUNCTION sum_to(n LONG) RETURNS LONG AS "
      "SELECT iif($n = 0, 0, $n + sum_to($n - 1)); SELECT experimental_memoize('sum_to')");
  TextRows sink;
  const Result<> failed = tracebraid::run(connection, "SELECT sum_to(20000)", sink,
                                          QueryOptions{.most_bytes = 1'000'000});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::Limit);
  EXPECT_EQ(run("SELECT sum_to(20000) AS s"), "s\n200010000\n--\n");
}

TEST_F(StatementsTest, ModulesOfTexts) {
  ASSERT_TRUE(connection.register_package(
      {.name = "mine",
       .modules = {{"mine.a",
                    "INCLUDE PERFETTO MODULE mine.b; CREATE PERFETTO TABLE a AS SELECT * "
                    "FROM b;"},
                   {"mine.b", "CREATE PERFETTO TABLE b AS SELECT 7 AS x;"},
                   {"mine.bad", "SELECT 1;"},
                   {"mine.wrong", "CREATE PERFETTO VIEW w AS\nSELECT nope FROM b;"},
                   {"mine.ring", "INCLUDE PERFETTO MODULE mine.ring;"}}}));
  EXPECT_FALSE(connection.register_package({.name = "mine"}));
  EXPECT_EQ(run("INCLUDE PERFETTO MODULE mine.a; INCLUDE PERFETTO MODULE mine.b; SELECT x FROM a"),
            "x\n7\n--\n");
  EXPECT_EQ(last_line("INCLUDE PERFETTO MODULE mine.bad"),
            "INCLUDE: Included module returning values.");
  EXPECT_EQ(last_line("INCLUDE PERFETTO MODULE mine.bad"),
            "INCLUDE: module 'mine.bad' poisoned by earlier failure: INCLUDE: Included module "
            "returning values.");
  EXPECT_EQ(run("INCLUDE PERFETTO MODULE mine.wrong"),
            "error: Traceback (most recent call last):\n"
            "  File \"stdin\" line 1 col 1\n"
            "    INCLUDE PERFETTO MODULE mine.wrong\n"
            "    ^\n"
            "  Module include \"mine.wrong\" line 2 col 8\n"
            "    SELECT nope FROM b\n"
            "           ^\n"
            "no such column: nope");
  EXPECT_EQ(last_line("INCLUDE PERFETTO MODULE mine.ring"),
            "INCLUDE: cycle detected — module 'mine.ring' is already mid-import in this "
            "execution.");
  EXPECT_EQ(run("INCLUDE PERFETTO MODULE mine.aa"),
            "error: Traceback (most recent call last):\n"
            "  File \"stdin\" line 1 col 1\n"
            "    INCLUDE PERFETTO MODULE mine.aa\n"
            "    ^\n"
            "did you mean 'mine.a'?\n"
            "INCLUDE: unknown module 'mine.aa'");
}

TEST_F(StatementsTest, ModulesContinueAfterAStop) {
  ASSERT_TRUE(connection.register_package(
      {.name = "mine",
       .modules = {{"mine.outer",
                    "CREATE PERFETTO MACRO one() RETURNS Expr AS 1;\n"
                    "CREATE TABLE ran(x);\n"
                    "INCLUDE PERFETTO MODULE mine.inner;\n"
                    "CREATE PERFETTO FUNCTION two() RETURNS LONG AS SELECT one!() + 1;\n"
                    "INSERT INTO ran VALUES (two());"},
                   {"mine.inner",
                    "CREATE PERFETTO FUNCTION three() RETURNS LONG AS SELECT 3;\n"
                    "CREATE PERFETTO TABLE many AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL "
                    "SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n;"}}}));
  const auto stop = std::make_shared<Stop>();
  size_t stops = 0;
  for (uint64_t at = 1;; at += 1 + at / 16, ++stops) {
    stop->request_at(at);
    TextRows rows;
    const Result<> ran = tracebraid::run(connection, "INCLUDE PERFETTO MODULE mine.outer", rows,
                                         QueryOptions{.stop = stop});
    if (ran) break;
    ASSERT_EQ(ran.error().code, ErrorCode::Cancelled) << at << ": " << ran.error().message;
  }
  EXPECT_GT(stops, 5U);
  EXPECT_EQ(run("SELECT x, three(), (SELECT count(*) FROM many) AS n FROM ran"),
            "x, three(), n\n2, 3, 20001\n--\n");
}

TEST_F(StatementsTest, ValuesThatDoNotFitAreShown) {
  EXPECT_EQ(run("CREATE PERFETTO TABLE t AS SELECT column1 AS a FROM (VALUES (1), ('x'))"),
            "error: Traceback (most recent call last):\n"
            "  File \"stdin\" line 1 col 1\n"
            "    CREATE PERFETTO TABLE t AS SELECT column1 AS a FROM (VALUES (1), ('x'))\n"
            "    ^\n"
            "row 1: 'x'\n"
            "CREATE PERFETTO TABLE(t): column 'a' was inferred to be LONG, but later received a "
            "value of type STRING");
}

}  // namespace
}  // namespace tracebraid
