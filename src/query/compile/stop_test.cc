// Statements that are stopped: before, while and between SQLite computes, sorts and gives rows.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

#include "query/compile/connection_state.h"
#include "query/compile/query.h"
#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

// Sanitizers make code about ten times slower: then the rows are fewer.
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TB_COPIES "2"
constexpr uint64_t kCopies = 2;
#else
#define TB_COPIES "15"
constexpr uint64_t kCopies = 15;
#endif
constexpr int64_t kRows = 100'000;

class Stops : public testing::Test {
 protected:
  Stops() {
    for (int64_t id = 0; id < kRows; ++id) {
      value.append(id * 7919 % 1000);
      name.append(strings.intern(fmt::format("name {}", id % 50)));
    }
    const TableView view{"number",
                         "",
                         value.size(),
                         {{.name = "id", .order = Order::Sorted},
                          column_view("value", "", Order::None, value),
                          column_view("name", "", Order::None, name)}};
    tables = std::make_shared<const TableSet>(TableSetParts{.tables = {view}, .strings = &strings});
  }
  Connection connect() const { return std::move(*Connection::open(tables)); }

  StringPool strings;
  Column<int64_t> value;
  Column<StringId> name;
  std::shared_ptr<const TableSet> tables;
};

// The Error of the query; its rows are read to the end.
std::optional<Error> read_all(Connection& connection, std::string_view sql, QueryOptions options) {
  Result<Query> running = query(connection, sql, std::move(options));
  if (!running) return running.error();
  Result<std::optional<RecordBatch>> batch = running->next();
  while (batch && *batch) batch = running->next();
  return batch ? std::nullopt : std::optional(batch.error());
}

constexpr const char* kOwnTables =
    "CREATE TABLE own AS SELECT (a.id * 7919 + b.id * 104729) % 1000003 AS r, a.name AS name "
    "FROM number a JOIN number b WHERE b.id < 3;"
    "CREATE TEMP TABLE temporary AS SELECT r FROM own;";

// Each would take minutes, most of them far more than that.
const char* const kEndless[] = {
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT (i * 7 + 1) % 1000000007 FROM n) SELECT i FROM "
    "n "
    "WHERE i < 0",
    "SELECT count(*) FROM number a, number b, number c",
    "SELECT a.id FROM number a, number b WHERE a.value + b.value < 0",
    "SELECT DISTINCT a.value * b.value % 7 AS x FROM number a, number b ORDER BY x",
    "SELECT a.value + b.value AS x FROM number a, number b ORDER BY x DESC, a.name LIMIT 5",
    "SELECT a.value % 7, count(*), max(b.name), median(b.value) FROM number a, number b GROUP BY 1",
    "SELECT a.name, count(DISTINCT b.value) FROM number a JOIN number b USING (name) GROUP BY 1",
    "SELECT sum(a.value) OVER (PARTITION BY a.name ORDER BY b.value) FROM number a, number b",
    "SELECT max(x) FROM (SELECT last_non_null(a.value) OVER (ORDER BY a.id ROWS BETWEEN 99999 "
    "PRECEDING AND CURRENT ROW) + sum(a.value) OVER (ORDER BY a.id ROWS BETWEEN 50000 PRECEDING "
    "AND "
    "50000 FOLLOWING EXCLUDE TIES) AS x FROM number a, number b)",
    "WITH c AS MATERIALIZED (SELECT a.id FROM number a, number b) SELECT count(*) FROM c",
    "SELECT a.id FROM number a WHERE a.value = (SELECT sum(b.value * a.id) FROM number b)",
    "SELECT id FROM number a WHERE NOT EXISTS (SELECT 1 FROM number b WHERE b.value + a.value < 0)",
    "SELECT a.id FROM number a, number b EXCEPT SELECT id FROM number",
    "SELECT count(*) FROM own a, own b WHERE a.r + b.r < 0",
    "SELECT DISTINCT a.r FROM own a, temporary b ORDER BY a.r + b.r",
    "INSERT INTO own SELECT a.r, 'x' FROM own a, own b WHERE a.r + b.r < 0; SELECT 1",
    "UPDATE own SET name = (SELECT max(r) FROM temporary WHERE r < own.r); SELECT 1",
    "CREATE TABLE more AS SELECT a.r FROM own a, own b; SELECT 1",
    "SELECT 1 WHERE 1 = 1; SELECT count(*) FROM own a, own b, own c",
};

TEST_F(Stops, EndlessStatementsEndAtADeadline) {
  Connection connection = connect();
  ASSERT_EQ(rows_of(connection, kOwnTables), "");
  for (const char* sql : kEndless) {
    const auto soon = [] { return StopCheck::Clock::now() + std::chrono::milliseconds(10); };
    TextRows rows;
    const Result<> ran = run(connection, sql, rows, {.deadline = soon()});
    ASSERT_FALSE(ran) << sql;
    EXPECT_EQ(ran.error().code, ErrorCode::Timeout) << sql << ": " << ran.error().message;
    if (std::string_view(sql).starts_with("SELECT 1")) continue;  // two results
    const std::optional<Error> error = read_all(connection, sql, {.deadline = soon()});
    ASSERT_TRUE(error) << sql;
    EXPECT_EQ(error->code, ErrorCode::Timeout) << sql << ": " << error->message;
  }
  EXPECT_EQ(rows_of(connection, "SELECT count(*) AS n FROM own"), "n\n300000\n--\n");
}

struct Sort {
  const char* name;
  const char* sql;
};

// Rows that are sorted between two checks, at most.
constexpr uint64_t kMostRowsUnchecked = 1 << 13;
// Calls that see the request: of each partition, of SQLite's progress handler and of the query.
constexpr uint64_t kMostCallsAfter = 256;

class Sorts : public Stops, public testing::WithParamInterface<Sort> {};

// A sort checks again and again while it compares, and ends at once when it is stopped.
TEST_P(Sorts, AreStopped) {
  Connection connection = connect();
  const char* const sql = GetParam().sql;
  if (std::string_view(sql).find("own") != std::string_view::npos) {
    ASSERT_EQ(rows_of(connection,
                      "CREATE TABLE own AS SELECT (a.id * 7919 + b.id * 104729) % 1000003 AS r "
                      "FROM number a JOIN number b WHERE b.id < " TB_COPIES),
              "");
  }
  const auto stop = std::make_shared<Stop>();
  stop->request_at(~uint64_t{0});
  ASSERT_FALSE(read_all(connection, sql, {.stop = stop}));
  const uint64_t calls = stop->calls();
  RecordProperty("checks", std::to_string(calls));
  EXPECT_GE(calls, kCopies * kRows / kMostRowsUnchecked);
  for (const uint64_t percent : {10U, 35U, 50U, 65U, 90U}) {
    const uint64_t at = 1 + calls * percent / 100;
    stop->request_at(at);
    const std::optional<Error> error = read_all(connection, sql, {.stop = stop});
    ASSERT_TRUE(error) << "stopped at check " << at << " of " << calls;
    EXPECT_EQ(error->code, ErrorCode::Cancelled) << error->message;
    EXPECT_LE(stop->calls(), at + kMostCallsAfter) << "stopped at check " << at << " of " << calls;
  }
}

#define TB_PAIRS "FROM number a JOIN number b WHERE b.id < " TB_COPIES " "
#define TB_VALUE "(a.id * 7919 + b.id * 104729) % 1000003 AS r "
constexpr Sort kSorts[] = {
    {"Joined", "SELECT a.id, b.id AS other, " TB_VALUE TB_PAIRS "ORDER BY r"},
    {"Distinct", "SELECT DISTINCT " TB_VALUE TB_PAIRS "ORDER BY r DESC, r + 1"},
    {"Cte", "WITH c AS MATERIALIZED (SELECT " TB_VALUE TB_PAIRS ") SELECT r FROM c ORDER BY r"},
    {"OwnTable", "SELECT r FROM own ORDER BY r"},
    {"OwnAndStored", "SELECT r, id FROM own JOIN number ON id = r % 100 ORDER BY r % 1001, r"},
    {"Window", "SELECT row_number() OVER (PARTITION BY r % 10 ORDER BY r) AS x FROM own"},
    {"Groups", "SELECT r / 2 AS g, count(*) AS n, median(r) AS m FROM own GROUP BY 1"},
    {"Index", "CREATE INDEX by_r ON own(r, r % 7); DROP INDEX by_r; SELECT 1"},
};
INSTANTIATE_TEST_SUITE_P(OfShapes, Sorts, testing::ValuesIn(kSorts),
                         [](const auto& shape) { return std::string(shape.param.name); });

// Each operator and aggregate over many rows, as a statement.
constexpr const char* kOperators[] = {
    "SELECT count(*) FROM __intrinsic_table_columns(__intrinsic_dfs((SELECT "
    "__intrinsic_graph_agg(id / 2, id) FROM number WHERE id > 0), (SELECT "
    "__intrinsic_array_agg(id) FROM number)))",
    "SELECT count(*) FROM __intrinsic_table_columns(__intrinsic_weight_bounded_dfs((SELECT "
    "__intrinsic_weighted_graph_agg(id / 2, id, 1) FROM number WHERE id > 0), (SELECT "
    "__intrinsic_array_agg(id) FROM number WHERE id < 50), (SELECT __intrinsic_array_agg(9) FROM "
    "number WHERE id < 50), 1))",
    "SELECT count(*) FROM __intrinsic_table_columns((SELECT __intrinsic_dominator_tree(id / 2, id, "
    "0) FROM number WHERE id > 0))",
    "SELECT count(*) FROM __intrinsic_table_columns((SELECT "
    "__intrinsic_structural_tree_partition(id, iif(id = 0, NULL, id / 2), value) FROM number))",
    "SELECT count(*) FROM __intrinsic_table_columns(__intrinsic_graph_scan((SELECT "
    "__intrinsic_graph_agg(id / 2, id) FROM number WHERE id > 0), (SELECT "
    "__intrinsic_row_dataframe_agg('id', 0, 'depth', 0)), '(SELECT id, depth + 1 AS depth FROM "
    "$table)', '(depth)'))",
    "SELECT count(*) FROM __intrinsic_table_columns(__intrinsic_critical_path((SELECT "
    "__intrinsic_wakeup_spans_agg(id, id * 10, 10, value, 5, id - 7) FROM number), (SELECT "
    "__intrinsic_array_agg(id) FROM number)))",
    "SELECT count(*) FROM __intrinsic_table_columns(__intrinsic_interval_create((SELECT "
    "__intrinsic_timestamp_set_agg(value * 999 + id) FROM number), (SELECT "
    "__intrinsic_timestamp_set_agg(id) FROM number)))",
    "SELECT count(*) FROM __intrinsic_table_columns(__intrinsic_counter_intervals('leading', "
    "1000000, (SELECT __intrinsic_counter_per_track_agg(id, -id, value % 3, value) FROM number)))",
    "SELECT count(*) FROM __intrinsic_table_columns(__intrinsic_interval_intersect((SELECT "
    "__intrinsic_interval_tree_intervals_agg(id, value * 10, 15, 'name', name) FROM number WHERE "
    "id < 9000), (SELECT __intrinsic_interval_tree_intervals_agg(id, value * 10, 9, 'name', name) "
    "FROM number WHERE id < 9000), '(name)'))",
    "SELECT percentile(id * 7919 % 100003, 40) FROM number",
    "CREATE VIRTUAL TABLE mipmap USING __intrinsic_counter_mipmap((SELECT id AS ts, value FROM "
    "number)); SELECT count(*) FROM mipmap(0, 100000, 3); DROP TABLE mipmap",
    "CREATE VIRTUAL TABLE flames USING __intrinsic_flamegraph((SELECT id, iif(id = 0, NULL, id / "
    "2) AS parent_id, name, value FROM number)); SELECT count(*) FROM "
    "flames(__intrinsic_flamegraph_config('value', 'value')); DROP TABLE flames",
    "CREATE VIEW spans AS SELECT id * 10 AS ts, 5 AS dur, value AS part FROM number;"
    "CREATE VIEW others AS SELECT id * 10 + 3 AS ts, 9 AS dur, value AS part FROM number;"
    "CREATE VIRTUAL TABLE joined USING span_outer_join(spans PARTITIONED part, others PARTITIONED "
    "part); SELECT count(*) FROM joined; DROP TABLE joined; DROP VIEW spans; DROP VIEW others",
    "CREATE OR REPLACE PERFETTO TABLE made AS SELECT iif(id % 2, NULL, id - 5) AS a, name, value "
    "FROM number; CREATE OR REPLACE PERFETTO INDEX i ON made(name, value); SELECT count(*) FROM "
    "made",
    "SELECT value, name, count(*) FROM number GROUP BY value, name",
    "SELECT id FROM number ORDER BY name DESC, value LIMIT 1"};

TEST_F(Stops, OperatorsEndAtOnce) {
  for (const char* sql : kOperators) {
    const auto stop = std::make_shared<Stop>();
    const auto run_it = [&](uint64_t at) {
      Connection connection = connect();
      stop->request_at(at);
      TextRows rows;
      return run(connection, sql, rows, {.stop = stop});
    };
    const Result<> whole = run_it(~uint64_t{0});
    ASSERT_TRUE(whole) << sql << ": " << whole.error().message;
    const uint64_t calls = stop->calls();
    constexpr uint64_t kParts = 4;
    for (uint64_t part = 0; part < kParts; ++part) {
      const uint64_t at = 1 + (calls - 2) * part / kParts;
      const Result<> ran = run_it(at);
      ASSERT_FALSE(ran) << sql << ", stopped at check " << at << " of " << calls;
      EXPECT_EQ(ran.error().code, ErrorCode::Cancelled) << sql << ": " << ran.error().message;
      EXPECT_LE(stop->calls(), at + kMostCallsAfter) << sql << ", check " << at << " of " << calls;
    }
  }
}

}  // namespace
}  // namespace tracebraid
