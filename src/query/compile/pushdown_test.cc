// Aggregate push-down: which statements are rewritten, and that the results are equal. Random
// statements run with and without it.
#include "query/compile/pushdown.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

using Random = std::mt19937;

int64_t pick(Random& random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}
template <class T, size_t kCount>
std::string one_of(Random& random, const T (&choices)[kCount]) {
  return choices[static_cast<size_t>(pick(random, 0, kCount - 1))];
}

// Events of threads of processes; few values, many NULLs, names that occur several times.
struct Trace {
  StringPool strings;
  Column<int64_t> ts, dur, big;
  PackedColumn<uint32_t> utid;
  PackedColumn<OptRow> parent;
  Column<OptInt> prio;
  PackedColumn<StringId> state;
  Column<double> value;
  SparseColumn sparse;
  Column<OptRow> upid;
  Column<int64_t> tid, pid;
  Column<StringId> thread_name, process_name;
  size_t rows;

  explicit Trace(size_t row_count, unsigned seed = 1) : rows(row_count) {
    Random random(seed);
    constexpr int64_t kThreads = 12, kProcesses = 4;
    const char* names[] = {"", "a", "A", "b", "ab", "1", "2.5"};
    const auto name = [&] {
      return pick(random, 0, 4) == 0 ? StringId{} : strings.intern(one_of(random, names));
    };
    const int64_t bigs[] = {std::numeric_limits<int64_t>::min(),
                            std::numeric_limits<int64_t>::max(), -1, 0, 1};
    for (size_t row = 0; row < rows; ++row) {
      ts.append(static_cast<int64_t>(row) * 3 - 10);
      dur.append(pick(random, -1, 6));
      big.append(bigs[pick(random, 0, 4)]);
      utid.append(static_cast<uint32_t>(pick(random, 0, kThreads + 1)));
      parent.append(
          {pick(random, 0, 2) == 0 ? OptRow::kNull : static_cast<uint32_t>(pick(random, 0, 9))});
      prio.append({pick(random, 0, 3) == 0 ? OptInt::kNull : pick(random, -2, 2)});
      state.append(name());
      value.append(pick(random, 0, 3) == 0 ? std::nan("") : 0.5 * double(pick(random, -3, 3)));
      if (pick(random, 0, 4) == 0) sparse.set(row, pick(random, -3, 3));
    }
    for (int64_t i = 0; i < kThreads; ++i) {
      upid.append({pick(random, 0, 3) == 0 ? OptRow::kNull
                                           : static_cast<uint32_t>(pick(random, 0, kProcesses))});
      tid.append(pick(random, 0, 5));
      thread_name.append(name());
    }
    for (int64_t i = 0; i < kProcesses; ++i) {
      pid.append(pick(random, 0, 2));
      process_name.append(name());
    }
  }

  std::vector<TableView> views() const {
    constexpr ColumnView kId{.name = "id", .order = Order::Sorted};
    return {
        {"__intrinsic_event",
         "",
         rows,
         {kId, column_view("ts", "", Order::Sorted, ts), column_view("dur", "", Order::None, dur),
          column_view("big", "", Order::None, big), column_view("utid", "", Order::None, utid),
          column_view("parent", "", Order::None, parent),
          column_view("prio", "", Order::None, prio), column_view("state", "", Order::None, state),
          column_view("value", "", Order::None, value),
          column_view("sparse", "", Order::None, sparse)}},
        {"__intrinsic_thread",
         "",
         tid.size(),
         {kId, column_view("upid", "", Order::None, upid), column_view("tid", "", Order::None, tid),
          column_view("name", "", Order::None, thread_name)}},
        {"__intrinsic_process",
         "",
         pid.size(),
         {kId, column_view("pid", "", Order::None, pid),
          column_view("name", "", Order::None, process_name)}}};
  }

  Connection connect() const {
    Result<Connection> made = connect_to(
        views(), strings, {},
        "CREATE VIRTUAL TABLE event USING __intrinsic_dataframe(__intrinsic_event, id, ts, dur, "
        "big, "
        "utid, parent, prio, state, value, sparse, state AS kind);"
        "CREATE VIRTUAL TABLE thread USING __intrinsic_dataframe(__intrinsic_thread, id AS utid, "
        "upid, tid, name);"
        "CREATE VIRTUAL TABLE process USING __intrinsic_dataframe(__intrinsic_process, id AS upid, "
        "pid, name);"
        "CREATE VIEW busy AS SELECT id, ts, dur, utid AS utid, state, ts + dur AS ts_end "
        "FROM __intrinsic_event;"
        "CREATE VIEW long_event AS SELECT * FROM __intrinsic_event WHERE dur > 2;"
        "CREATE VIEW named_thread AS SELECT id AS utid, name, upid FROM __intrinsic_thread "
        "WHERE name IS NOT NULL;");
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
};

constexpr size_t kNever = std::numeric_limits<size_t>::max();

// The rows with and without push-down.
struct Answers {
  std::string pushed, plain;
};
Answers answers(Connection& connection, const std::string& sql) {
  Answers answers;
  connection.set_least_rows_to_group(0);
  answers.pushed = rows_of(connection, sql);
  connection.set_least_rows_to_group(kNever);
  answers.plain = rows_of(connection, sql);
  return answers;
}

class PushdownTest : public testing::Test {
 protected:
  Trace trace{500};
  std::map<std::string, std::unique_ptr<Table>, std::less<>> tables;
  StopCheck stop;

  PushdownTest() {
    for (const TableView& view : trace.views()) {
      TableView named = view;
      const bool is_event = view.name == "__intrinsic_event";
      if (!is_event) named.columns[0].name = view.name == "__intrinsic_thread" ? "utid" : "upid";
      const std::string name(view.name.substr(std::string_view("__intrinsic_").size()));
      tables[name] = std::make_unique<Table>(std::move(named), trace.strings);
    }
  }

  std::optional<Pushdown> pushed(std::string_view sql, size_t least_rows = 0,
                                 std::span<const Cell> values = {}) {
    const auto relation_of = [&](std::string_view name) -> std::optional<Relation> {
      const auto found = tables.find(name);
      if (found == tables.end()) return std::nullopt;
      Relation relation{found->second.get(), true, {}};
      for (const ColumnView& column : found->second->view().columns)
        relation.columns.push_back({std::string(column.name), &column});
      return relation;
    };
    return push_down(sql, values, relation_of, "groups", least_rows,
                     {.table_function = {}, .function = {}, .stop = stop});
  }
  std::string rewritten(std::string_view sql) {
    const std::optional<Pushdown> pushdown = pushed(sql);
    return pushdown ? pushdown->sql : "as it is";
  }
};

TEST_F(PushdownTest, TellsStatementsOverGroups) {
  EXPECT_EQ(rewritten("SELECT utid, sum(dur) FROM event GROUP BY utid"),
            "SELECT utid, sum(event.__intrinsic_0) FROM groups AS event GROUP BY utid");
  EXPECT_EQ(rewritten("SELECT process.name, SUM(event.dur) / 1e6 ms, count(*) FROM event "
                      "JOIN thread USING(utid) LEFT JOIN process USING(upid) "
                      "WHERE dur BETWEEN 1 AND 5 AND tid > 2 GROUP BY 1 ORDER BY ms DESC LIMIT 3"),
            "SELECT process.name, SUM(event.__intrinsic_0) / 1e6 ms, "
            "ifnull(sum(event.__intrinsic_1),0) FROM groups AS event "
            "JOIN thread USING(utid) LEFT JOIN process USING(upid) "
            "WHERE 1 AND tid > 2 GROUP BY 1 ORDER BY ms DESC LIMIT 3");
  EXPECT_EQ(rewritten("select avg(prio), count(prio), count(dur) from event e"),
            "select (total(e.__intrinsic_0)/sum(e.__intrinsic_1)), ifnull(sum(e.__intrinsic_1),0), "
            "ifnull(sum(e.__intrinsic_2),0) from groups e");
  // Columns that a row number determines are equal within a group.
  EXPECT_NE(rewritten("SELECT utid, thread.name, process.name, max(dur) FROM event JOIN thread "
                      "USING (utid) LEFT JOIN process ON process.upid = thread.upid GROUP BY utid"),
            "as it is");
}

TEST_F(PushdownTest, LeavesOutJoinsToRowsByNumber) {
  const std::optional<Pushdown> pushdown =
      pushed("SELECT count(*) FROM event e JOIN event p ON e.parent = p.id WHERE e.dur > 2");
  ASSERT_TRUE(pushdown);
  EXPECT_EQ(pushdown->sql, "SELECT ifnull(sum(e.__intrinsic_0),0) FROM groups e  WHERE 1");
  EXPECT_TRUE(pushdown->groups.keys.empty());
  EXPECT_EQ(pushdown->literals, (std::vector<std::vector<std::string>>{{"0"}, {"500"}, {"2"}}));
  // Columns of the joined row are read.
  EXPECT_NE(rewritten("SELECT p.state, count(*) FROM event e JOIN event p ON e.parent = p.id "
                      "GROUP BY p.state")
                .find("JOIN event p ON"),
            std::string::npos);
}

TEST_F(PushdownTest, KeysAreTheColumnsReadOutsideOfAggregates) {
  const std::optional<Pushdown> pushdown = pushed(
      "SELECT t.name, sum(dur) AS prio FROM event e JOIN thread t ON t.utid = e.utid "
      "WHERE state = 'a' AND (parent > 3 OR parent < 1) GROUP BY t.name ORDER BY prio");
  ASSERT_TRUE(pushdown);
  std::vector<std::string> keys;
  for (const GroupKey& key : pushdown->groups.keys) keys.push_back(key.name);
  EXPECT_EQ(keys, (std::vector<std::string>{"utid", "parent"}));
  ASSERT_EQ(pushdown->groups.filters.size(), 1U);
  EXPECT_EQ(pushdown->literals[0], std::vector<std::string>{"'a'"});
}

TEST_F(PushdownTest, TakesArithmeticOfConstants) {
  for (const char* const condition : {"ts > (trace_start() + TRACE_END())/2", "dur < -(3 % 2)",
                                      "5 * - 1 < prio", "ts > 1 + 1", "ts > trace_start()"})
    EXPECT_NE(
        rewritten(fmt::format("SELECT count(*) FROM event WHERE {}", condition)).find("WHERE 1"),
        std::string::npos)
        << condition;
  const std::optional<Pushdown> pushdown = pushed(
      "SELECT count(*) FROM event WHERE ts > (trace_start() + TRACE_END())/2 AND dur < -(3 % 2) "
      "AND 5 * - 1 < prio");
  ASSERT_TRUE(pushdown);
  EXPECT_EQ(pushdown->sql,
            "SELECT ifnull(sum(event.__intrinsic_0),0) FROM groups AS event WHERE 1 AND 1 AND 1");
  EXPECT_EQ(pushdown->literals,
            (std::vector<std::vector<std::string>>{
                {"( trace_start ( ) + TRACE_END ( ) ) / 2"}, {"- ( 3 % 2 )"}, {"5 * - 1"}}));
  for (const char* const condition : {"ts > trace_start", "ts > abs(1)", "ts > trace_start(1)",
                                      "ts > 1 + dur", "ts > 1 || 2", "ts > 1 & 2"})
    EXPECT_EQ(
        rewritten(fmt::format("SELECT count(*) FROM event WHERE {}", condition)).find("WHERE 1"),
        std::string::npos)
        << condition;
}

TEST_F(PushdownTest, LeavesOtherStatements) {
  const char* others[] = {
      "EXPLAIN SELECT utid, sum(dur) FROM event GROUP BY utid",
      "SELECT DISTINCT utid, sum(dur) FROM event GROUP BY utid",
      "SELECT utid, dur FROM event",
      "SELECT utid, state, sum(dur) FROM event GROUP BY utid",  // the state of which row?
      "SELECT utid, sum(dur) FROM event GROUP BY utid HAVING dur > 3",
      "SELECT utid, sum(dur) FROM event GROUP BY utid ORDER BY ts",
      "SELECT thread.name, sum(dur) FROM event JOIN thread ON thread.utid > event.utid "
      "GROUP BY event.utid",
      "SELECT process.name, sum(dur) FROM event LEFT JOIN process ON process.upid = event.utid "
      "AND state = 'a' GROUP BY event.utid",
      "SELECT utid, sum(value) FROM event GROUP BY utid",
      "SELECT utid, sum(dur + 1) FROM event GROUP BY utid",
      "SELECT utid, sum(DISTINCT dur) FROM event GROUP BY utid",
      "SELECT utid, group_concat(dur) FROM event GROUP BY utid",
      "SELECT utid, sum(dur) FILTER (WHERE dur > 1) FROM event GROUP BY utid",
      "SELECT utid, sum(dur) OVER () FROM event GROUP BY utid",
      "SELECT utid, sum(dur) FROM event WHERE random() > 0 GROUP BY utid",
      "SELECT utid, sum(dur) FROM event WHERE utid IN (SELECT utid FROM thread) GROUP BY utid",
      "SELECT utid, sum(dur) FROM event GROUP BY utid UNION SELECT 1, 2",
      "WITH x AS (SELECT 1) SELECT utid, sum(dur) FROM event GROUP BY utid",
      "SELECT utid, sum(dur) FROM (SELECT * FROM event) GROUP BY utid",
      "SELECT utid, sum(dur) FROM main.event GROUP BY utid",
      "SELECT utid, sum(dur) FROM unknown GROUP BY utid",
      "SELECT state COLLATE NOCASE, sum(dur) FROM event GROUP BY 1",
      "SELECT rowid, sum(dur) FROM event GROUP BY rowid",
      "SELECT \"utid\", sum(dur) FROM event GROUP BY utid",
      "SELECT tid, count(*), max(event.dur) FROM thread LEFT JOIN event USING (utid) GROUP BY tid",
      "SELECT thread.utid, sum(dur), sum(tid) FROM event JOIN thread USING (utid) GROUP BY utid",
      "SELECT utid, sum(dur) FROM event NATURAL JOIN thread GROUP BY utid",
      "SELECT utid, sum(dur) FROM event CROSS JOIN thread USING (utid) GROUP BY utid",
      "SELECT max(ts) FROM event",
      "SELECT * FROM event GROUP BY utid",
      "SELECT",
      ""};
  for (const char* sql : others) EXPECT_EQ(rewritten(sql), "as it is") << sql;
  EXPECT_FALSE(pushed("SELECT utid, sum(dur) FROM event GROUP BY utid", 501));
}

TEST(PushdownOfViews, SeesThroughThem) {
  const Trace trace(300);
  Connection connection = trace.connect();
  const std::string sql = "SELECT utid, sum(dur) FROM busy GROUP BY utid";
  const auto [pushed, plain] = answers(connection, sql);
  EXPECT_EQ(pushed, plain);
  // A table of the user hides ours.
  rows_of(connection, "CREATE TEMP TABLE event(utid, dur); INSERT INTO event VALUES (1, 'x');");
  const auto [hidden, expected] =
      answers(connection, "SELECT utid, max(dur) x, 1 FROM event GROUP BY utid");
  EXPECT_EQ(hidden, expected);
  EXPECT_EQ(expected, "utid, x, 1\n1, 'x', 1\n--\n");
  // A table with the name of the groups hides them.
  rows_of(connection, "CREATE TABLE __intrinsic_groups(utid, __intrinsic_0)");
  const auto [beside, same] = answers(connection, sql);
  EXPECT_EQ(beside, same);
}

TEST(PushdownOfSums, OverflowIsAnError) {
  const Trace trace(300);
  Connection connection = trace.connect();
  const auto [pushed, plain] =
      answers(connection, "SELECT utid, sum(big) FROM event GROUP BY utid");
  EXPECT_EQ(pushed, plain);
  EXPECT_NE(plain.find("integer overflow"), std::string::npos) << plain;
  const auto [total, expected] =
      answers(connection, "SELECT utid, total(big), avg(big) FROM event GROUP BY utid");
  EXPECT_EQ(total, expected);
}

TEST(Stats, SayWhatEachOperatorRead) {
  const Trace trace(300);
  Connection connection = trace.connect();
  QueryStats stats;
  connection.set_stats(&stats);
  connection.set_least_rows_to_group(0);
  const auto read = [&](const std::string& sql) {
    stats.statements.clear();
    rows_of(connection, sql);
    std::string text;
    for (const QueryStats::Statement& statement : stats.statements) {
      text += fmt::format("{} rows", statement.rows);
      for (const QueryStats::Operator& entry : statement.operators) {
        text += fmt::format("; {} [{}] by {}: {} of {}, {}x", entry.name, entry.detail,
                            entry.access, entry.rows_found, entry.rows_scanned, entry.starts);
        EXPECT_GE(statement.time, entry.time);
      }
    }
    return text;
  };
  EXPECT_EQ(read("SELECT count(*) FROM event"),
            "1 rows; group event [] by all rows: 300 of 300, 1x");
  EXPECT_EQ(read("SELECT id, dur FROM event WHERE id = 7"),
            "1 rows; scan event [id = const] by row number: 1 of 1, 1x");
  const std::string window = read("SELECT id FROM event WHERE ts >= 0 AND ts < 100000000");
  EXPECT_NE(window.find("by search of ts"), std::string::npos) << window;
  const std::string filtered = read("SELECT id, dur FROM event WHERE dur = 2");
  EXPECT_NE(filtered.find("scan event [dur = const] by all rows: "), std::string::npos) << filtered;
  EXPECT_NE(filtered.find(" of 300, 1x"), std::string::npos) << filtered;
  const std::string joined =
      read("SELECT event.id, thread.name FROM event CROSS JOIN thread USING (utid)");
  EXPECT_NE(joined.find("scan event [] by all rows: 300 of 300, 1x"), std::string::npos) << joined;
  EXPECT_NE(joined.find(", 300x"), std::string::npos) << joined;
  connection.set_stats(nullptr);
  read("SELECT count(*) FROM event");
  EXPECT_TRUE(stats.statements.empty());
}

TEST(PushdownOfSums, CanBeStoppedBetweenRows) {
  const Trace trace(300);
  Connection connection = trace.connect();
  connection.set_least_rows_to_group(0);
  StoppingRows sink;
  const Result<> ran =
      run(connection, "SELECT utid, sum(dur) FROM event GROUP BY utid", sink, {.stop = sink.stop});
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::Cancelled);
}

// Returns statements of many shapes; some are invalid, some are not pushed down.
std::string random_statement(Random& random) {
  const char* froms[] = {
      "event e",
      "event AS e",
      "event e JOIN thread t USING (utid)",
      "event e JOIN thread t ON t.utid = e.utid",
      "event e LEFT JOIN thread t USING (utid)",
      "thread t JOIN event e USING (utid)",
      "event e JOIN thread t USING (utid) JOIN process p USING (upid)",
      "event e LEFT JOIN thread t ON e.utid = t.utid LEFT JOIN process p ON p.upid = t.upid",
      "event e LEFT JOIN thread t ON e.utid = t.utid AND e.prio > 0",
      "event e, thread t",
      "event e JOIN thread t ON t.tid = e.parent",
      "event e JOIN event t ON t.id = e.parent",
      "busy e JOIN named_thread t USING (utid)",
      "busy e LEFT JOIN named_thread t USING (utid) JOIN process p USING (upid)",
      "long_event e JOIN thread t USING (utid)",
      "process p JOIN thread t USING (upid) JOIN event e ON e.utid = t.utid"};
  const char* own[] = {"e.utid", "utid",     "e.state", "state", "prio",
                       "parent", "e.sparse", "e.dur",   "kind"};
  const char* others[] = {"t.name", "t.utid", "p.name", "t.upid", "tid", "p.upid", "upid"};
  const char* aggregates[] = {"count(*)",      "count()",        "count(prio)", "sum(dur)",
                              "sum(e.prio)",   "total(dur)",     "avg(e.dur)",  "avg(sparse)",
                              "min(e.state)",  "max(state)",     "min(value)",  "max(e.value)",
                              "max(dur)",      "min(e.sparse)",  "sum(parent)", "count(e.state)",
                              "sum(dur) / 2",  "sum(dur) / 1e3", "max(e.id)",   "count(value)",
                              "min(prio) + 1", "sum(big)",       "max(e.big)",  "count(*) * 1.0"};
  const char* conditions[] = {"dur > 2",
                              "3 >= e.dur",
                              "state = 'a'",
                              "e.state GLOB 'a*'",
                              "prio IS NULL",
                              "prio NOTNULL",
                              "dur BETWEEN 1 AND 4",
                              "e.utid = 3",
                              "dur IN (1, 2, 3)",
                              "state IN ('a', 'b')",
                              "state > 5",
                              "dur = '3'",
                              "dur > 2.5",
                              "dur != -1",
                              "t.name = 'a'",
                              "t.tid < 4",
                              "(dur = 1 OR prio = 1)",
                              "e.utid = t.utid",
                              "NOT prio = 1",
                              "value < 0.5",
                              "sparse >= -1",
                              "state IN (1, 'a')",
                              "state LIKE 'A%'",
                              "1",
                              "e.utid < 1e1",
                              "state = 1",
                              "prio = t.tid",
                              "ts > 100",
                              "big < 5",
                              "ts > (3 + 2 * 40) / 2",
                              "dur < 7 % 4 + -1",
                              "dur > 1 / 0",
                              "2 * 2 > e.dur",
                              "dur BETWEEN 1 + 0 AND 9 / 2",
                              "dur IN (1, 1 + 1)",
                              "prio = 10 / 4.0 - 0.5",
                              "state > 2 + 3"};
  const bool joined = pick(random, 0, 2) != 0;
  const std::string from = joined ? one_of(random, froms) : froms[pick(random, 0, 1)];
  const auto column = [&] {
    return joined && pick(random, 0, 2) == 0 ? one_of(random, others) : one_of(random, own);
  };
  std::vector<std::string> groups, items;
  for (int64_t n = pick(random, 0, 5) / 2; n > 0; --n) groups.push_back(column());
  items = groups;
  for (int64_t n = pick(random, 1, 3); n > 0; --n) items.push_back(one_of(random, aggregates));
  if (pick(random, 0, 6) == 0) items.push_back(column());
  if (pick(random, 0, 4) == 0 && !groups.empty()) items[0] = "coalesce(" + items[0] + ", 'none')";
  for (size_t i = 0; i < items.size(); ++i)
    if (pick(random, 0, 3) == 0)
      items[i] += fmt::format("{} {}", pick(random, 0, 1) == 0 ? " AS" : "",
                              pick(random, 0, 5) == 0 ? std::string("dur") : fmt::format("c{}", i));
  if (!groups.empty() && pick(random, 0, 3) == 0) groups[0] = "1";
  if (pick(random, 0, 9) == 0) groups.push_back("e.dur / 2");
  std::string sql = fmt::format("SELECT {} FROM {}", fmt::join(items, ", "), from);
  std::string word = " WHERE ";
  for (int64_t n = pick(random, 0, 2); n > 0;
       --n, word = pick(random, 0, 5) == 0 ? " OR " : " AND ")
    sql += word + one_of(random, conditions);
  if (!groups.empty()) sql += fmt::format(" GROUP BY {}", fmt::join(groups, ", "));
  if (!groups.empty() && pick(random, 0, 4) == 0)
    sql += " HAVING " + one_of(random, aggregates) + " > " + fmt::format("{}", pick(random, 0, 20));
  if (pick(random, 0, 1) == 0)
    sql += fmt::format(" ORDER BY {}{}", pick(random, 0, 1) == 0 ? one_of(random, aggregates) : "1",
                       pick(random, 0, 1) == 0 ? " DESC" : "");
  if (pick(random, 0, 4) == 0) sql += fmt::format(" LIMIT {}", pick(random, 0, 5));
  return sql;
}

TEST_F(PushdownTest, TakesManyOfTheRandomStatements) {
  Random random(1);
  int taken = 0;
  for (int i = 0; i < 500; ++i) taken += pushed(random_statement(random)) ? 1 : 0;
  EXPECT_GT(taken, 120);
}

TEST_F(PushdownTest, TakesVariablesOfTheRightKind) {
  const Cell number = Cell::of(int64_t{5}), text = Cell::of(std::string_view("a"));
  const std::vector<Cell> values = {number, text};
  const auto sql_of = [&](std::string_view sql) {
    const std::optional<Pushdown> pushdown = pushed(sql, 0, values);
    return pushdown ? pushdown->sql : "as it is";
  };
  EXPECT_EQ(sql_of("SELECT count(*) + ?1 FROM event WHERE dur > ?1 AND state = ?2 LIMIT ?1"),
            "SELECT ifnull(sum(event.__intrinsic_0),0) + ?1 FROM groups AS event WHERE 1 AND 1 "
            "LIMIT ?1");
  EXPECT_EQ(sql_of("SELECT count(*) FROM event WHERE dur > ?2"), "as it is");
}

TEST(PushdownOfVariables, GivesWhatSqliteGives) {
  const Trace trace(300);
  Connection connection = trace.connect();
  const std::vector<Parameter> parameters = {
      Parameter::of(Cell::of(int64_t{2})), Parameter::of(Cell::of(std::string_view("a"))),
      Parameter::of(Cell::of(0.5)), Parameter::of(Cell::null()),
      Parameter::of(Cell::of(int64_t{3}), "n")};
  const auto rows = [&](const std::string& sql, size_t least) {
    connection.set_least_rows_to_group(least);
    TextRows sink;
    const Result<> ran = run(connection, sql, sink, {.parameters = parameters});
    return ran ? sink.text : "error: " + ran.error().message;
  };
  const char* conditions[] = {
      "dur > ?1", "state = ?2",     "?1 >= dur",  "dur > ?3",   "state = ?1",
      "dur = ?4", "dur IN (?1, 3)", "state > ?2", "prio IS ?4", "utid BETWEEN ?1 AND :n",
      "dur < ?2", "tid < ?1"};
  Random random(7);
  for (int i = 0; i < 500; ++i) {
    const std::string sql = fmt::format(
        "SELECT state, ?1 AS one, count(*) * :n, sum(dur) FROM event JOIN thread USING (utid) "
        "WHERE {} AND {} GROUP BY state HAVING count(*) > ?1 ORDER BY state LIMIT :n",
        one_of(random, conditions), one_of(random, conditions));
    ASSERT_EQ(rows(sql, 0), rows(sql, ~size_t{0})) << sql;
  }
}

class PushdownDifferential : public testing::TestWithParam<size_t> {};

TEST_P(PushdownDifferential, NobodyCanTell) {
  const Trace trace(GetParam(), static_cast<unsigned>(GetParam()));
  Connection connection = trace.connect();
  Random random(static_cast<unsigned>(GetParam()));
  for (int i = 0; i < 1000; ++i) {
    const std::string sql = random_statement(random);
    const auto [pushed, plain] = answers(connection, sql);
    ASSERT_EQ(pushed, plain) << sql;
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, PushdownDifferential, testing::Values(0, 1, 40, 400));

}  // namespace
}  // namespace tracebraid
