// Queries as batches: types, limits and cancels; that column scans return what SQLite returns; many
// threads over one TableSet.
#include "query/compile/query.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "query/compile/answer_test.h"
#include "query/compile/connection_state.h"
#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

using Random = std::mt19937;

int64_t pick(Random& random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

// shifted(n, by, word): n + by; NULL for multiples of 3 and for what is no integer.
Result<Cell> shifted(std::span<const Cell> arguments) {
  if (arguments[2].kind == Cell::Kind::Text && arguments[2].text == "no")
    return fail(ErrorCode::Sql, "shifted: no");
  if (arguments[0].kind != Cell::Kind::Int || arguments[0].integer % 3 == 0) return Cell::null();
  return Cell::of(arguments[0].integer + arguments[1].integer);
}

bool shift_all(std::span<const Cell> constants, std::span<int64_t> values, std::span<bool> valid) {
  if (constants[1].kind == Cell::Kind::Text && constants[1].text == "no") return false;
  for (size_t i = 0; i < values.size(); ++i) {
    valid[i] = valid[i] && values[i] % 3 != 0;
    if (valid[i]) values[i] += constants[0].integer;
  }
  return true;
}

std::vector<SqlFunction> shift_functions(const StopCheck&) {
  SqlFunction made{"shifted(n LONG, by LONG, word STRING) LONG", "", shifted};
  made.call_for_integers = shift_all;
  made.gives_integers = true;
  return {std::move(made)};
}

// One column of each type.
struct Numbers {
  StringPool strings;
  Column<int64_t> ts;
  PackedColumn<uint32_t> track;
  Column<uint8_t> flag;
  Column<OptInt> maybe;
  PackedColumn<OptRow> parent;
  Column<double> value;
  PackedColumn<StringId> name;
  SparseColumn sparse;
  std::shared_ptr<const TableSet> tables;

  explicit Numbers(size_t rows) {
    Random random(static_cast<unsigned>(rows));
    const char* words[] = {"", "a", "A", "ab", "1", "\xff", "z"};
    for (size_t row = 0; row < rows; ++row) {
      ts.append(static_cast<int64_t>(row) / 3 - 5);
      track.append(static_cast<uint32_t>(pick(random, 0, 9)));
      flag.append(static_cast<uint8_t>(pick(random, 0, 1)));
      maybe.append({pick(random, 0, 3) == 0 ? OptInt::kNull : pick(random, -4, 4)});
      parent.append(
          {pick(random, 0, 3) == 0 ? OptRow::kNull : static_cast<uint32_t>(pick(random, 0, 40))});
      value.append(pick(random, 0, 3) == 0 ? std::nan("") : 0.5 * double(pick(random, -3, 3)));
      const auto word = static_cast<size_t>(pick(random, 0, 7));
      name.append(word == 7 ? StringId{} : strings.intern(words[word]));
      if (pick(random, 0, 4) == 0) sparse.set(row, pick(random, -3, 3));
    }
    const TableView view{"__intrinsic_number",
                         "",
                         rows,
                         {{.name = "id", .order = Order::Sorted},
                          column_view("ts", "", Order::Sorted, ts),
                          column_view("track", "", Order::None, track),
                          column_view("flag", "", Order::None, flag),
                          column_view("maybe", "", Order::None, maybe),
                          column_view("parent", "", Order::None, parent),
                          column_view("value", "", Order::None, value),
                          column_view("name", "", Order::None, name),
                          column_view("sparse", "", Order::None, sparse)}};
    tables = std::make_shared<const TableSet>(TableSetParts{
        .tables = {view},
        .strings = &strings,
        .functions = shift_functions,
        .prelude =
            "CREATE VIRTUAL TABLE number USING __intrinsic_dataframe(__intrinsic_number, id, ts, "
            "track, flag, maybe, parent, value, name, sparse);"
            "CREATE VIEW flagged AS SELECT id, ts, name AS word, value FROM number WHERE flag = 1;"
            "CREATE VIEW both AS SELECT id AS x FROM number UNION ALL SELECT name FROM number;"});
  }
  Connection connect() const {
    Result<Connection> made = Connection::open(tables);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
};

const char* const kColumns[] = {"id",     "ts",    "track", "flag",  "maybe",
                                "parent", "value", "name",  "sparse"};

std::string random_projection(Random& random) {
  const auto column = [&] { return std::string(kColumns[pick(random, 0, 8)]); };
  const char* constants[] = {"0", "3", "-1.5", "2.5", "'a'", "''", "NULL", "?1", "?2", "?3"};
  const char* ops[] = {"=", "!=", "<", "<=", ">", ">=", "IS", "IS NOT"};
  std::string items = pick(random, 0, 4) == 0 ? "*" : column();
  if (pick(random, 0, 3) == 0)
    items += fmt::format(", shifted({}, {}, {})", column(), pick(random, -2, 2),
                         pick(random, 0, 1) == 0 ? "'a'" : "NULL");
  for (int64_t n = pick(random, 0, 3); n > 0; --n)
    items += ", " + column() + (pick(random, 0, 1) == 0 ? " AS \"other name\"" : "");
  std::string sql = fmt::format("SELECT {} FROM number", items);
  for (int64_t n = pick(random, 0, 2), i = 0; i < n; ++i)
    sql += fmt::format("{}{} {} {}", i == 0 ? " WHERE " : " AND ", column(),
                       ops[pick(random, 0, 7)], constants[pick(random, 0, 9)]);
  for (int64_t n = pick(random, 0, 2), i = 0; i < n; ++i)
    sql += fmt::format("{}{}{}", i == 0 ? " ORDER BY " : ", ", column(),
                       pick(random, 0, 1) == 0 ? " DESC" : "");
  const char* limits[] = {"",          "",          " LIMIT 7", " LIMIT 5 OFFSET 3",
                          " LIMIT ?1", " LIMIT -1", " LIMIT 0", " LIMIT 900 OFFSET 400"};
  return sql + limits[pick(random, 0, 7)];
}

// Gives the variables ?1 to ?3 of the SQL values: as many as it has.
QueryOptions with_parameters(std::string_view sql) {
  QueryOptions options{.parameters = {Parameter::of(Cell::of(int64_t{3})),
                                      Parameter::of(Cell::of(std::string_view("a"))),
                                      Parameter::of(Cell::of(0.5))}};
  std::vector<Parameter>& values = options.parameters;
  while (!values.empty() && sql.find(fmt::format("?{}", values.size())) == std::string_view::npos)
    values.pop_back();
  return options;
}

class Projections : public testing::TestWithParam<size_t> {};

TEST_P(Projections, AreWhatSqliteGives) {
  const Numbers numbers(GetParam());
  Connection connection = numbers.connect();
  Random random(static_cast<unsigned>(GetParam()));
  const int repeats = GetParam() > 1000 ? 150 : 1500;
  int columnar = 0;
  for (int i = 0; i < repeats; ++i) {
    const std::string sql = random_projection(random);
    QueryOptions options = with_parameters(sql);
    options.batch_rows = static_cast<size_t>(pick(random, 1, 100'000));
    const Answer got = answer(connection, sql, options);
    ASSERT_EQ(got.text, by_rows(connection, sql, options)) << sql;
    columnar += got.is_columnar ? 1 : 0;
  }
  EXPECT_GT(columnar, repeats * 6 / 10);
}

INSTANTIATE_TEST_SUITE_P(Rows, Projections, testing::Values(0, 1, 50, 900, 3000));

class QueryTest : public testing::Test {
 protected:
  Numbers numbers{100'000};
  Connection connection = numbers.connect();
  std::vector<DataType> types(std::string_view sql) {
    const Result<Schema> schema = describe(connection, sql);
    EXPECT_TRUE(schema) << schema.error().message;
    std::vector<DataType> all;
    for (const Field& field : schema->fields) all.push_back(field.type);
    return all;
  }
};

TEST_F(QueryTest, KnowsTypesBeforeRows) {
  using enum DataType;
  EXPECT_EQ(types("SELECT id, value, name, maybe FROM number"),
            (std::vector{Int64, Float64, Dictionary, Int64}));
  EXPECT_EQ(types("SELECT word AS w FROM flagged f JOIN number n ON n.id = f.id"),
            (std::vector{Dictionary}));
  // Columns and expressions behind WITH; a name that it defines is not a table of ours.
  EXPECT_EQ(types("WITH w AS (SELECT id AS i, name FROM number), v AS NOT MATERIALIZED "
                  "(SELECT * FROM w) SELECT i, name, count(*), i > 3, 'text' FROM v"),
            (std::vector{Int64, Dictionary, Int64, Int64, Dictionary}));
  EXPECT_EQ(types("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) "
                  "SELECT i, count(*), avg(i) FROM n"),
            (std::vector{Int64, Int64, Float64}));
  EXPECT_EQ(types("WITH number AS (SELECT 'a' AS ts) SELECT max(ts) FROM number"),
            (std::vector{Dictionary}));
  EXPECT_EQ(types("SELECT count(*), sum(ts), sum(value), avg(ts), max(name) FROM number"),
            (std::vector{Int64, Int64, Float64, Float64, Dictionary}));
  EXPECT_EQ(types("SELECT ts > 1, name || 1, CAST(name AS INTEGER), CAST(1 AS TEXT), 5, 'x', x'00' "
                  "FROM number"),
            (std::vector{Int64, Dictionary, Int64, Dictionary, Int64, Dictionary, Binary}));
  EXPECT_EQ(types("SELECT ts + 1, abs(ts), NULL FROM number"),
            (std::vector{Int64, Int64, Unknown}));
  EXPECT_EQ(types("SELECT x FROM both"), (std::vector{Unknown}));
  EXPECT_EQ(
      types("SELECT hash(id, name), Reverse(name), median(value), unhex('6', ''), unhex('6'), "
            "\"if\"(1, 2), median(1) + 1, concat('a', (SELECT 1)) FROM number"),
      (std::vector{Int64, Dictionary, Float64, Binary, Int64, Unknown, Float64, Dictionary}));
}

TEST_F(QueryTest, TypesOfViewsMadeLater) {
  using enum DataType;
  EXPECT_EQ(types("SELECT word FROM flagged"), (std::vector{Dictionary}));
  const auto run = [&](std::string_view sql) {
    EXPECT_EQ(answer(connection, sql).text, "error: no statement of the SQL gives rows");
  };
  run("CREATE VIEW mixed AS SELECT id AS x FROM number UNION ALL SELECT name FROM number");
  EXPECT_EQ(types("SELECT x FROM mixed"), (std::vector{Unknown}));
  run("DROP VIEW mixed; CREATE VIEW mixed AS SELECT id AS x FROM number");
  EXPECT_EQ(types("SELECT x FROM mixed"), (std::vector{Int64}));
  run("CREATE TEMP VIEW Flagged AS SELECT word FROM main.flagged UNION ALL SELECT 1");
  EXPECT_EQ(types("SELECT word FROM flagged"), (std::vector{Unknown}));
}

TEST_F(QueryTest, TypesByRowsWhereNothingElseIsKnown) {
  const auto type = [&](std::string_view values) {
    return answer(connection, fmt::format("SELECT * FROM (VALUES {})", values))
        .schema.fields[0]
        .type;
  };
  EXPECT_EQ(type("(1), (NULL), (2.5)"), DataType::Float64);
  EXPECT_EQ(type("(1), ('a')"), DataType::Utf8);
  EXPECT_EQ(type("(NULL), ('a')"), DataType::Dictionary);
  EXPECT_EQ(type("(NULL), (NULL)"), DataType::Null);
  EXPECT_EQ(type("(x'00')"), DataType::Binary);
  EXPECT_EQ(answer(connection, "SELECT * FROM (VALUES (9007199254740993), (0.5))").text,
            "column1\nerror: column column1, row 1: INTEGER does not fit float64; CAST it, or give "
            "types=");
}

TEST_F(QueryTest, SaysWhichRowDoesNotFit) {
  const QueryOptions options{.types = {{"x", DataType::Int64}}};
  Result<Query> running =
      query(connection, "SELECT column1 AS x FROM (VALUES (1), (2), ('three'))", options);
  ASSERT_TRUE(running);
  const auto batch = running->next();
  ASSERT_FALSE(batch);
  EXPECT_EQ(batch.error().code, ErrorCode::TypeChanged);
  EXPECT_EQ(batch.error().message,
            "column x, row 3: TEXT does not fit int64; CAST it, or give types=");
}

TEST_F(QueryTest, ReadsProjectionsColumnByColumn) {
  for (const char* sql :
       {"SELECT * FROM number", "SELECT id, name AS n FROM number WHERE track = 3 LIMIT 5 OFFSET 2",
        "SELECT word FROM flagged ORDER BY ts DESC", "SELECT n.id FROM (SELECT * FROM number) n",
        "SELECT \"ts\" FROM number ORDER BY name, 1 DESC"})
    EXPECT_TRUE(answer(connection, sql).is_columnar) << sql;
  for (const char* sql :
       {"SELECT id FROM number WHERE name = ?2", "SELECT id FROM number WHERE ?2 < name LIMIT 5",
        "SELECT word, ts FROM flagged WHERE word IS NOT ?2 AND ts > ?1",
        "SELECT id FROM number WHERE name = ?2 AND ts < 500 LIMIT 3 OFFSET 2"}) {
    const Answer got = answer(connection, sql, with_parameters(sql));
    EXPECT_TRUE(got.is_columnar) << sql;
    EXPECT_EQ(got.text, by_rows(connection, sql, with_parameters(sql))) << sql;
  }
  for (const char* sql :
       {"SELECT ts, shifted(ts, 5, 'a') FROM number",
        "SELECT shifted(sparse, -1, NULL) FROM number",
        "SELECT shifted(n.id, 1, ''), maybe FROM number n WHERE track = 3 ORDER BY ts LIMIT 9"}) {
    const Answer got = answer(connection, sql);
    EXPECT_TRUE(got.is_columnar) << sql;
    EXPECT_EQ(got.text, by_rows(connection, sql)) << sql;
  }
  const Answer failed = answer(connection, "SELECT shifted(ts, 5, 'no') FROM number");
  EXPECT_FALSE(failed.is_columnar);
  EXPECT_TRUE(failed.text.ends_with("shifted: no")) << failed.text;
  // ?1 is a number, which SQLite converts to a text; only SQLite evaluates the second condition.
  for (const char* sql : {"SELECT id FROM number WHERE name = ?1",
                          "SELECT id FROM number WHERE name != 'a' AND NOT (name = ?2)",
                          "SELECT id FROM number WHERE name = ?2 COLLATE NOCASE"}) {
    const Answer got = answer(connection, sql, with_parameters(sql));
    EXPECT_EQ(got.text, by_rows(connection, sql, with_parameters(sql))) << sql;
  }
  for (const char* sql :
       {"SELECT id + 1 FROM number", "SELECT shifted(value, 1, 'a') FROM number",
        "SELECT shifted(name, 1, 'a') FROM number", "SELECT shifted(id, track, 'a') FROM number",
        "SELECT shifted(shifted(id, 1, 'a'), 1, 'a') FROM number",
        "SELECT DISTINCT name FROM number", "SELECT 1", "SELECT count(*) FROM number",
        "SELECT a.id FROM number a JOIN number b ON a.id = b.parent"})
    EXPECT_FALSE(answer(connection, sql).is_columnar) << sql;
}

TEST_F(QueryTest, SharesItsDictionaryWhileItDoesNotGrow) {
  Result<Query> running = query(connection, "SELECT name FROM number");
  ASSERT_TRUE(running);
  auto first = running->next(), second = running->next();
  ASSERT_TRUE(first && second && *first && *second);
  EXPECT_EQ((*first)->rows, kMostBatchRows);
  EXPECT_EQ((*first)->columns[0].dictionary, (*second)->columns[0].dictionary);
}

TEST_F(QueryTest, RunsWhatStandsAroundTheResult) {
  EXPECT_EQ(answer(connection,
                   "CREATE TABLE t(a); INSERT INTO t VALUES (?1); SELECT a FROM t;"
                   "INSERT INTO t VALUES (7);",
                   {.parameters = {Parameter::of(Cell::of(int64_t{5}))}})
                .text,
            "a\n5\n--\n");
  EXPECT_EQ(answer(connection, "SELECT count(*) AS n FROM t").text, "n\n2\n--\n");
  EXPECT_EQ(answer(connection, "SELECT 1 AS a;\nSELECT 2").text,
            "a\n1\nerror: line 2: a query gives the rows of one statement, and this is another");
  EXPECT_EQ(answer(connection, "DROP TABLE t").text, "error: no statement of the SQL gives rows");
}

TEST_F(QueryTest, KeepsLimits) {
  EXPECT_EQ(answer(connection, "SELECT id FROM number", {.most_rows = 10}).text,
            "id\nerror: the query gives more than its limit of 10 rows");
  EXPECT_NE(answer(connection, "SELECT id + 1 AS a FROM number", {.most_bytes = 10'000})
                .text.find("more than its limit of 10000 bytes"),
            std::string::npos);
}

TEST_F(QueryTest, EndsBatchesBeforeTheirTextsOverflow) {
  constexpr size_t kMost = 100;
  for (const char* sql : {"SELECT name, id, name AS again FROM number WHERE id < 2000",
                          "SELECT name || '\xff' || id AS n FROM number WHERE id < 2000",
                          "SELECT * FROM (VALUES ('a'), (1), ('\xff')) "
                          "CROSS JOIN (SELECT name FROM number WHERE id < 500)"}) {
    QueryOptions options{.plain_text = true};
    const Answer whole = answer(connection, sql, options);
    EXPECT_EQ(whole.batches, 1u) << sql;
    options.most_text_bytes = kMost;
    const Answer parts = answer(connection, sql, options);
    EXPECT_EQ(parts.text, whole.text) << sql;
    EXPECT_GT(parts.batches, 10u) << sql;
    Result<Query> running = query(connection, sql, options);
    ASSERT_TRUE(running);
    for (auto batch = running->next(); batch && *batch; batch = running->next())
      for (const ArrayData& column : (*batch)->columns) EXPECT_LE(column.bytes.size, kMost);
  }
}

TEST_F(QueryTest, RefusesTextsThatDoNotFit) {
  const auto text = [&](std::string_view sql, bool plain) {
    return answer(connection, sql, {.plain_text = plain, .most_text_bytes = 10}).text;
  };
  EXPECT_EQ(text("SELECT 'a' AS x UNION ALL SELECT 'twelve bytes'", true),
            "x\n'a'\nerror: column x, row 2: TEXT takes more than 10 bytes");
  EXPECT_EQ(text("SELECT 'a' || id AS x FROM number WHERE id < 10", false),
            "x\nerror: column x, row 6: TEXT does not fit a dictionary of 10 bytes; give it type "
            "utf8");
  EXPECT_NE(text("SELECT name FROM number", false).find("'z'"), std::string::npos);
  const auto stored = query(connection, "SELECT name FROM number", {.most_text_bytes = 2})->next();
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().code, ErrorCode::Limit);
}

TEST_F(QueryTest, IsStoppedBeforeAndBetweenBatches) {
  const auto stop = std::make_shared<Stop>();
  for (const char* sql : {"SELECT id FROM number", "SELECT id + 1 FROM number"}) {
    Result<Query> running = query(connection, sql, {.stop = stop, .batch_rows = 10});
    ASSERT_TRUE(running);
    ASSERT_TRUE(running->next());
    stop->request();
    const auto batch = running->next();
    ASSERT_FALSE(batch);
    EXPECT_EQ(batch.error().code, ErrorCode::Cancelled);
    Connection other = numbers.connect();
    const auto early = query(other, sql, {.stop = stop});
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().code, ErrorCode::Cancelled);
    stop->clear();
  }
}

// Returns all values of a result of integers.
std::vector<int64_t> integers(Connection& connection, std::string_view sql) {
  std::vector<int64_t> values;
  Result<Query> running = query(connection, sql);
  EXPECT_TRUE(running);
  for (auto batch = running->next(); batch && *batch; batch = running->next())
    for (size_t row = 0; row < (*batch)->rows; ++row)
      for (const ArrayData& column : (*batch)->columns)
        values.push_back(column.values.as<int64_t>()[row]);
  return values;
}

TEST_F(QueryTest, SortsOnItsOwnHandleAsOnTheOther) {
  for (const char* sql :
       {"SELECT a.id, b.id AS other FROM number a JOIN number b WHERE b.id < 5 ORDER BY a.track",
        "SELECT a.id, b.id AS other FROM number a JOIN number b WHERE b.id < 5 "
        "ORDER BY (a.id * 7919 + b.id * 104729) % 1003 DESC, a.name"}) {
    const std::vector<int64_t> chunks = integers(connection, sql);
    EXPECT_EQ(chunks.size(), 1'000'000u);
    Connection plain = numbers.connect();
    plain.state().least_rows_to_sort_apart = SIZE_MAX;
    EXPECT_EQ(integers(plain, sql), chunks) << sql;
    EXPECT_EQ(plain.state().sorting, nullptr);
  }
  EXPECT_NE(connection.state().sorting, nullptr);
  // These objects exist on the first handle only.
  for (const char* made : {"CREATE TEMP VIEW number AS SELECT 1 AS id, 2 AS ts",
                           "PRAGMA case_sensitive_like = 1", "CREATE TABLE own(a)"}) {
    Connection changed = numbers.connect();
    TextRows rows;
    ASSERT_TRUE(run(changed, made, rows));
    answer(changed, "SELECT id FROM number ORDER BY id * 7 LIMIT 1");
    answer(changed, "SELECT id FROM number ORDER BY id * 7");
    EXPECT_EQ(changed.state().sorting, nullptr) << made;
  }
}

TEST_F(QueryTest, OneQueryAConnection) {
  const Result<Query> running = query(connection, "SELECT id FROM number");
  ASSERT_TRUE(running);
  EXPECT_EQ(answer(connection, "SELECT 1").text,
            "error: the connection runs another query; open one for each");
}

TEST_F(QueryTest, BatchesOutliveTheirQuery) {
  std::optional<RecordBatch> batch;
  {
    Connection own = numbers.connect();
    batch = **query(own, "SELECT name FROM number LIMIT 3")->next();
  }
  EXPECT_EQ(batch->rows, 3u);
  EXPECT_FALSE(batch->columns[0].dictionary->bytes.owner == nullptr);
}

TEST(QueriesOnThreads, ShareOneTableSet) {
  const Numbers numbers(3000);
  Connection one = numbers.connect();
  std::vector<std::string> statements, expected;
  Random random(1);
  for (int i = 0; i < 40; ++i) {
    statements.push_back(random_projection(random));
    statements.push_back(fmt::format(
        "SELECT a.{0} AS k, count(*) AS n, sum(b.ts) AS s FROM number a JOIN number b ON b.id = "
        "a.parent GROUP BY 1 ORDER BY 1",
        kColumns[pick(random, 0, 8)]));
  }
  for (const std::string& sql : statements)
    expected.push_back(answer(one, sql, with_parameters(sql)).text);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      Connection connection = numbers.connect();
      connection.set_least_rows_to_group(thread % 2 == 0 ? 0 : Connection::kLeastRowsToGroup);
      Random own(thread);
      for (int i = 0; i < 60; ++i) {
        const auto at = static_cast<size_t>(pick(own, 0, std::ssize(statements) - 1));
        if (answer(connection, statements[at], with_parameters(statements[at])).text !=
            expected[at])
          ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tracebraid
