
#include <gtest/gtest.h>

#include <thread>

#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

// Six events; names repeat, one is NULL. ts has two equal values.
struct Events {
  StringPool strings;
  Column<int64_t> ts;
  Column<int64_t> dur;
  Column<StringId> name;
  Column<OptRow> parent;
  TableView view;

  Events() {
    const auto add = [&](int64_t t, int64_t d, const char* n, uint32_t p) {
      ts.append(t);
      dur.append(d);
      name.append(n == nullptr ? StringId{} : strings.intern(n));
      parent.append({p});
    };
    add(10, 5, "read", OptRow::kNull);
    add(20, 1, "write", 0);
    add(20, 9, "read", 0);
    add(30, 2, nullptr, 2);
    add(40, 0, "wait", OptRow::kNull);
    add(50, 7, "write", 4);
    view = {"__intrinsic_event",
            "Events.",
            ts.size(),
            {{.name = "id", .order = Order::Sorted},
             column_view("ts", "", Order::Sorted, ts),
             column_view("dur", "", Order::None, dur),
             column_view("name", "", Order::None, name),
             column_view("parent_id", "", Order::None, parent)}};
  }

  Connection connect() {
    const std::string_view prelude = "CREATE VIEW event AS SELECT * FROM __intrinsic_event;";
    Result<Connection> made = connect_to({view}, strings, {}, prelude);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
};

class ConnectionTest : public testing::Test {
 protected:
  std::string run(std::string_view sql) { return rows_of(connection, sql); }
  std::string plan(const std::string& sql) { return run("EXPLAIN QUERY PLAN " + sql); }
  bool plan_has(const std::string& sql, std::string_view part) {
    return plan(sql).find(part) != std::string::npos;
  }

  Events events;
  Connection connection = events.connect();
};

TEST_F(ConnectionTest, ReadsTypedColumns) {
  EXPECT_EQ(run("SELECT * FROM event LIMIT 2"),
            "id, ts, dur, name, parent_id\n0, 10, 5, 'read', NULL\n1, 20, 1, 'write', 0\n--\n");
}

TEST_F(ConnectionTest, RunsSeveralStatements) {
  EXPECT_EQ(run("SELECT 1 AS a;; CREATE TABLE q(x); INSERT INTO q VALUES (5);"
                "SELECT 2 AS b WHERE 0; /* end */ SELECT * FROM q -- tail"),
            "a\n1\n--\nb\n--\nx\n5\n--\n");
  EXPECT_EQ(run("SELECT 3 AS suppress_query_output; SELECT 4 AS c"), "c\n4\n--\n");
}

TEST_F(ConnectionTest, SemicolonsInsideTextsAndTriggersDoNotEndStatements) {
  EXPECT_EQ(run("SELECT 'a;b' AS \"x;y\" -- ;\n; CREATE TABLE t(a); "
                "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t WHERE a = 1; END; "
                "INSERT INTO t VALUES (1), (2); SELECT a FROM t"),
            "x;y\n'a;b'\n--\na\n2\n--\n");
}

TEST_F(ConnectionTest, NamesLineAndColumnOfErrors) {
  EXPECT_EQ(run("SELECT 1 AS one;\nSELECT\n  id,\n  nope\nFROM event;"),
            "one\n1\n--\nerror: Traceback (most recent call last):\n"
            "  File \"stdin\" line 4 col 3\n      nope\n      ^\nno such column: nope");
  EXPECT_EQ(run("SELECT 1 AS one;\nSELEC 2;"),
            "one\n1\n--\nerror: Traceback (most recent call last):\n"
            "  File \"stdin\" line 2 col 1\n    SELEC 2;\n    ^\nsyntax error near 'SELEC'");
  // Errors while running have the position of the statement.
  EXPECT_EQ(run("  SELECT abs(-9223372036854775808) FROM event; SELECT 2"),
            "error: Traceback (most recent call last):\n  File \"stdin\" line 1 col 3\n"
            "    SELECT abs(-9223372036854775808) FROM event\n    ^\ninteger overflow");
}

TEST_F(ConnectionTest, CutsLongLinesInErrors) {
  const std::string sql = "SELECT '" + std::string(500, 'x') + "', nope, '" + std::string(500, 'y');
  const std::string error = run(sql + "'");
  EXPECT_NE(error.find("line 1 col 512"), std::string::npos) << error;
  EXPECT_NE(error.find("    " + sql.substr(511 - 128, 256) + "\n"), std::string::npos) << error;
}

TEST_F(ConnectionTest, RefusesWhatIsNotAStatement) {
  EXPECT_EQ(run("-- nothing here"), "error: No valid SQL to run");
  EXPECT_NE(run(std::string_view("SELECT 1;\0 SELECT 2", 19)).find("unrecognized token"),
            std::string::npos);
}

TEST_F(ConnectionTest, ShowsErrorsOfStatementsOfTheDialect) {
  TextRows sink;
  const Result<> ran =
      tracebraid::run(connection, "SELECT 1;\n include perfetto module a.b; SELECT 2", sink);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::Sql);
  EXPECT_EQ(ran.error().message,
            "Traceback (most recent call last):\n  File \"stdin\" line 2 col 2\n"
            "    include perfetto module a.b\n    ^\n"
            "INCLUDE: Package 'a.b' not found");
}

TEST_F(ConnectionTest, SinkMayStopTheQuery) {
  TextRows sink;
  sink.stop_after = 2;
  EXPECT_TRUE(tracebraid::run(connection, "SELECT id FROM event; SELECT 7", sink));
  EXPECT_EQ(sink.text, "id\n0\n1\n");
}

TEST_F(ConnectionTest, GuardsFilesSettingsAndItsOwnTables) {
  const auto refuses = [&](std::string_view sql, std::string_view reason) {
    const std::string text = run(sql);
    EXPECT_NE(text.find(reason), std::string::npos) << sql << " gave " << text;
  };
  refuses("ATTACH '/tmp/tracebraid-guard.db' AS f", "only ':memory:' can be attached");
  refuses("ATTACH '/tmp/' || 'x.db' AS f", "only ':memory:' can be attached");
  refuses("ATTACH '' AS f", "only ':memory:' can be attached");
  refuses("VACUUM INTO '/tmp/tracebraid-guard.db'", "only ':memory:' can be attached");
  refuses("SELECT load_extension('x')", "load_extension() is not allowed here");
  refuses("PRAGMA temp_store_directory = '/tmp'", "PRAGMA temp_store_directory is not allowed");
  refuses("PRAGMA writable_schema = 1", "PRAGMA writable_schema is not allowed here");
  refuses("INSERT INTO __intrinsic_event(ts) VALUES (1)", "may not be modified");
  refuses("DELETE FROM event", "cannot modify event because it is a view");
  refuses("DROP VIEW event", "event belongs to the trace and is read-only");
  refuses("DROP TABLE __intrinsic_event", "__intrinsic_event belongs to the trace");
  refuses("DROP TABLE __INTRINSIC_EVENT", "__intrinsic_event belongs to the trace");
  refuses("UPDATE sqlite_schema SET sql = ''", "sqlite_master may not be modified");
}

TEST_F(ConnectionTest, AllowsTheSessionsOwnObjects) {
  EXPECT_EQ(run("ATTACH ':memory:' AS m; CREATE TABLE m.t AS SELECT id FROM event;"
                "CREATE TEMP TABLE u AS SELECT max(id) AS top FROM m.t; BEGIN; DELETE FROM m.t;"
                "ROLLBACK; SELECT top, (SELECT count(*) FROM m.t) AS n FROM u; DROP TABLE m.t;"
                "CREATE VIEW v AS SELECT 1; DROP VIEW v"),
            "top, n\n5, 6\n--\n");
}

TEST_F(ConnectionTest, ComparesConstantsWithoutAffinity) {
  const auto count = [&](std::string_view where) {
    return run("SELECT count(*) AS n FROM event WHERE " + std::string(where)).substr(2, 1);
  };
  EXPECT_EQ(count("id = '1'"), "0");
  EXPECT_EQ(count("id = 1.0"), "1");
  EXPECT_EQ(count("id IN (1, 2, '3', NULL, 2.0)"), "3");
  EXPECT_EQ(count("id = 5000000000"), "0");
  EXPECT_EQ(count("id > -1"), "6");
  EXPECT_EQ(count("name = 1"), "0");
  EXPECT_EQ(count("name > 5"), "5");
  EXPECT_EQ(count("ts > 'a'"), "0");
  EXPECT_EQ(count("ts < 'a'"), "6");
  EXPECT_EQ(count("dur >= 6.5"), "2");
  EXPECT_EQ(count("parent_id = NULL"), "0");
  EXPECT_EQ(count("parent_id IS NULL"), "2");
  EXPECT_EQ(count("parent_id != 0"), "2");
  EXPECT_EQ(count("parent_id < 4294967296"), "4");
  EXPECT_EQ(count("parent_id != 4294967295"), "4");
}

TEST_F(ConnectionTest, AppliesAffinityBetweenColumns) {
  EXPECT_EQ(
      run("CREATE TABLE o(t TEXT, n); INSERT INTO o VALUES ('1', 20), ('+2.0', '30'), ('x', 9);"
          "SELECT o.t, e.id FROM o CROSS JOIN event e ON e.id = o.t;"
          "SELECT o.n, e.id FROM o CROSS JOIN event e ON e.ts = o.n ORDER BY 1, 2"),
      "t, id\n'1', 1\n'+2.0', 2\n--\nn, id\n20, 1\n20, 2\n'30', 3\n--\n");
}

TEST_F(ConnectionTest, KeepsRowOrderAmongEqualKeys) {
  EXPECT_EQ(run("SELECT id FROM event ORDER BY ts DESC"), "id\n5\n4\n3\n1\n2\n0\n--\n");
  EXPECT_EQ(run("SELECT id FROM event ORDER BY name"), "id\n3\n0\n2\n4\n1\n5\n--\n");
  EXPECT_EQ(run("SELECT id FROM event ORDER BY name DESC"), "id\n1\n5\n4\n0\n2\n3\n--\n");
  EXPECT_EQ(run("SELECT id FROM event ORDER BY parent_id, dur DESC"), "id\n0\n4\n2\n1\n3\n5\n--\n");
  EXPECT_EQ(run("SELECT DISTINCT name FROM event"), "name\n'read'\n'write'\nNULL\n'wait'\n--\n");
  EXPECT_EQ(run("SELECT name, count(*) AS n FROM event GROUP BY name"),
            "name, n\nNULL, 1\n'read', 2\n'wait', 1\n'write', 2\n--\n");
}

TEST_F(ConnectionTest, TakesOverFiltersAndOrder) {
  EXPECT_TRUE(plan_has("SELECT * FROM event WHERE id = 3", "id = const"));
  EXPECT_TRUE(
      plan_has("SELECT * FROM event WHERE ts >= 20 AND ts < 40", "ts >= const; ts < const"));
  EXPECT_TRUE(plan_has("SELECT * FROM event WHERE name GLOB 'r*'", "name glob const"));
  EXPECT_TRUE(plan_has("SELECT * FROM event WHERE name IN ('read', 'x')", "name in ?"));
  EXPECT_TRUE(plan_has("SELECT * FROM event ORDER BY ts DESC", "descending by ts desc"));
  EXPECT_TRUE(plan_has("SELECT * FROM event ORDER BY id DESC", "reversed"));
  EXPECT_TRUE(plan_has("SELECT * FROM event ORDER BY name, ts", "order by name asc"));
  for (const char* sql : {"SELECT * FROM event ORDER BY ts", "SELECT * FROM event ORDER BY ts, id",
                          "SELECT * FROM event ORDER BY dur DESC, name",
                          "SELECT name, sum(dur) FROM event GROUP BY name",
                          "SELECT * FROM event WHERE name = 'read' ORDER BY name, ts"})
    EXPECT_FALSE(plan_has(sql, "TEMP B-TREE")) << plan(sql);
}

TEST_F(ConnectionTest, JoinsLookUpIds) {
  const std::string sql =
      "SELECT c.id, p.name FROM event c JOIN event p ON c.parent_id = p.id ORDER BY c.id";
  EXPECT_TRUE(plan_has(sql, ":id = ?")) << plan(sql);
  EXPECT_EQ(run(sql), "id, name\n1, 'read'\n2, 'read'\n3, 'read'\n5, 'wait'\n--\n");
}

TEST_F(ConnectionTest, ListsRelations) {
  const std::vector<RelationInfo> relations = connection.relations();
  ASSERT_EQ(relations.size(), 2u);
  EXPECT_EQ(relations[0].name, "__intrinsic_event");
  EXPECT_EQ(relations[0].sql, "");
  EXPECT_EQ(relations[1].name, "event");
  EXPECT_EQ(relations[1].sql, "CREATE VIEW event AS SELECT * FROM __intrinsic_event");
  EXPECT_EQ(relations[1].columns,
            (std::vector<std::string>{"id", "ts", "dur", "name", "parent_id"}));
}

TEST_F(ConnectionTest, OpenFailsOnABrokenPrelude) {
  const auto made = connect_to({events.view}, events.strings, {}, "CREATE VIEW v AS SELEC");
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("prelude: "), std::string::npos);
}

TEST_F(ConnectionTest, StopEndsRows) {
  StoppingRows sink;
  const Result<> ran = tracebraid::run(connection, "SELECT a.id FROM event a, event b, event c",
                                       sink, {.stop = sink.stop});
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::Cancelled);
  EXPECT_LT(sink.rows, 216u);
  EXPECT_EQ(run("SELECT 1 AS a"), "a\n1\n--\n");  // the next query runs
}

TEST_F(ConnectionTest, StopBeforeTheQueryIsNotLost) {
  const auto stop = std::make_shared<Stop>();
  stop->request();
  TextRows sink;
  const Result<> ran = tracebraid::run(connection, "SELECT 1 AS a", sink, {.stop = stop});
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::Cancelled);
  EXPECT_EQ(sink.text, "");
  EXPECT_EQ(run("SELECT 1 AS a"), "a\n1\n--\n");
}

TEST_F(ConnectionTest, DeadlineEndsAnEndlessQuery) {
  TextRows sink;
  const Result<> ran = tracebraid::run(
      connection,
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
      sink, {.deadline = StopCheck::Clock::now() + std::chrono::milliseconds(20)});
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::Timeout);
}

TEST_F(ConnectionTest, BindsParameters) {
  const auto with = [&](std::string_view sql, std::vector<Parameter> parameters) {
    TextRows sink;
    const Result<> ran =
        tracebraid::run(connection, sql, sink, {.parameters = std::move(parameters)});
    return ran ? sink.text : "error: " + ran.error().message;
  };
  const Parameter ten = Parameter::of(Cell::of(int64_t{10}));
  const Parameter text = Parameter::of(Cell::of(std::string_view("read")), "what");
  EXPECT_EQ(with("SELECT ? AS a, ?1 AS b, ?2 AS c", {ten, Parameter::of(Cell::of(0.5))}),
            "a, b, c\n10, 10, 0.5r\n--\n");
  EXPECT_EQ(with("SELECT id FROM event WHERE name = :what", {text}), "id\n0\n2\n--\n");
  EXPECT_EQ(with("SELECT id FROM event WHERE name = $what AND ts > ?", {text, ten}),
            "error: there is no value for ?2");
  EXPECT_EQ(with("SELECT id FROM event WHERE name = @what AND ts > ?1", {ten}),
            "error: there is no value for @what");
  EXPECT_EQ(with("SELECT @what", {Parameter::of(Cell::null(), "other")}),
            "error: no variable of the SQL is called other");
  EXPECT_EQ(with("SELECT ?", {ten, ten}), "error: 2 values are given, but the SQL has 1 variable");
  EXPECT_EQ(with("SELECT '?' -- ?", {ten}), "error: 1 value is given, but the SQL has 0 variables");
  EXPECT_EQ(with("SELECT ?1 AS a; SELECT :b, ?, :b", {ten, ten, ten}),
            "error: 3 values are given, but the SQL has 2 variables");
  EXPECT_EQ(with("SELECT ?1 AS a, :b AS b", {}), "a, b\nNULL, NULL\n--\n");
}

TEST_F(ConnectionTest, StopFromAnotherThreadEndsAnEndlessQuery) {
  const auto stop = std::make_shared<Stop>();
  TextRows sink;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stop->request();
  });
  const Result<> ran = tracebraid::run(
      connection,
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
      sink, {.stop = stop});
  stopper.join();
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace tracebraid
