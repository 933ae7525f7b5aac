// Batches with QueryOptions::verbatim, for text and files: that their rows are those that SQLite
// gives one by one, and where batches and results end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "query/batch/cell_at.h"
#include "query/compile/query.h"
#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

using Random = std::mt19937;

size_t pick(Random& random, size_t count) {
  return std::uniform_int_distribution<size_t>(0, count - 1)(random);
}

// A table of two columns that are read column by column, the others being SQLite's own.
struct Words {
  StringPool strings;
  PackedColumn<StringId> word;
  Column<double> value;
  std::vector<SqlFunction> functions;

  explicit Words(size_t rows, size_t bytes = 0) {
    for (size_t row = 0; row < rows; ++row) {
      const std::string text = std::string(bytes, 'w') + (row % 5 == 0 ? "\xff" : "word");
      word.append(row % 3 == 0 ? StringId{} : strings.intern(fmt::format("{}{}", text, row % 7)));
      value.append(row % 4 == 0 ? std::nan("") : 0.25 * static_cast<double>(row));
    }
  }
  Connection connect() {
    const TableView view{"word",
                         "",
                         word.size(),
                         {{.name = "id", .order = Order::Sorted},
                          column_view("word", "", Order::None, word),
                          column_view("value", "", Order::None, value)}};
    Result<Connection> made = connect_to({view}, strings, functions, "");
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
};

// Shows batches as TextRows does, and checks their arrays.
class TextBatches final : public BatchSink {
 public:
  void begin(const Schema& schema) override {
    fields_ = schema.fields;
    std::string line;
    for (const Field& field : fields_) line += (line.empty() ? "" : ", ") + field.name;
    text += line + "\n";
  }
  bool add(const RecordBatch& batch) override {
    EXPECT_EQ(batch.columns.size(), fields_.size());
    EXPECT_GT(batch.rows, 0u);
    for (size_t i = 0; i < batch.columns.size(); ++i)
      check(batch.columns[i], fields_[i].type, batch.rows);
    for (size_t row = 0; row < batch.rows; ++row) {
      std::string line;
      for (const ArrayData& column : batch.columns)
        line += (line.empty() ? "" : ", ") + shown(cell_at(column, row));
      text += line + "\n";
    }
    rows.push_back(batch.rows);
    return rows.size() < stop_after;
  }
  void end() override { text += "--\n"; }

  std::string text;
  std::vector<size_t> rows;  // of each batch
  size_t stop_after = ~size_t{0};

 private:
  static void check(const ArrayData& array, DataType type, size_t rows) {
    EXPECT_EQ(array.type, type);
    EXPECT_EQ(array.length, rows);
    size_t nulls = 0;
    std::vector<int32_t> next(array.children.size());
    for (size_t row = 0; row < rows; ++row) {
      nulls += array.is_null(row) ? 1 : 0;
      if (type != DataType::Variant) continue;
      const auto child = static_cast<size_t>(array.values.as<int8_t>()[row]);
      EXPECT_EQ(array.offsets.as<int32_t>()[row], next[child]++);
    }
    EXPECT_EQ(array.null_count, nulls);
    for (size_t child = 0; child < next.size(); ++child)
      EXPECT_EQ(array.children[child].length, static_cast<size_t>(next[child]));
  }

  std::vector<Field> fields_;
};

std::string by_batches(Connection& connection, std::string_view sql,
                       const QueryOptions& options = {}) {
  TextBatches sink;
  const Result<> ran = run(connection, sql, sink, options);
  return ran ? sink.text : sink.text + "error: " + ran.error().message;
}

std::string by_rows(Connection& connection, std::string_view sql) {
  TextRows sink;
  const Result<> ran = step_rows(connection, sql, sink);
  return ran ? sink.text : sink.text + "error: " + ran.error().message;
}

std::string random_value(Random& random) {
  const char* values[] = {"NULL",
                          "0",
                          "-7",
                          "9223372036854775807",
                          "0.0",
                          "-0.5",
                          "''",
                          "'text'",
                          "'it''s'",
                          "CAST(x'ff41' AS TEXT)",
                          "x''",
                          "x'00ff'",
                          "1e999",
                          "'12'",
                          "CAST(x'610062' AS TEXT)"};
  return values[pick(random, std::size(values))];
}

std::string random_select(Random& random) {
  const char* items[] = {"*",      "a",           "b, a",          "typeof(a), a",
                         "a || b", "max(a)",      "count(*), b",   "a + 1 AS n",
                         "hex(a)", "rowid, a, b", "a, NULL AS no", "coalesce(a, b), 1"};
  const char* froms[] = {"mixed",
                         "mixed WHERE a > b",
                         "mixed WHERE 0",
                         "mixed ORDER BY b, a, rowid",
                         "mixed LIMIT 3 OFFSET 2",
                         "mixed WHERE typeof(a) = 'blob'"};
  const char* stored[] = {"SELECT * FROM word",
                          "SELECT word, value FROM word WHERE id > 20",
                          "SELECT value, word FROM word ORDER BY word DESC, id LIMIT 30 OFFSET 4",
                          "SELECT id + 0, word FROM word",
                          "SELECT word, a FROM word JOIN mixed ON mixed.rowid = word.id",
                          "SELECT word FROM word WHERE id < 0"};
  if (pick(random, 3) == 0) return stored[pick(random, std::size(stored))];
  return fmt::format("SELECT {} FROM {}", items[pick(random, std::size(items))],
                     froms[pick(random, std::size(froms))]);
}

TEST(Batches, HaveTheRowsThatSqliteGives) {
  Words words(100);
  Connection connection = words.connect();
  Random random(1);
  std::string sql = "CREATE TABLE mixed(a, b);";
  for (int row = 0; row < 60; ++row)
    sql += fmt::format("INSERT INTO mixed VALUES ({}, {});", random_value(random),
                       random_value(random));
  ASSERT_EQ(by_batches(connection, sql), "");
  // An error in row 51, and one of the compiler.
  const char* broken[] = {
      "SELECT id, CASE id WHEN 50 THEN abs(-9223372036854775807 - 1) END FROM word",
      "SELECT nothing"};
  for (int i = 0; i < 600; ++i) {
    std::string text = random_select(random);
    for (size_t n = pick(random, 4); n != 0; --n)
      text += (n % 2 == 0 ? ";\nUPDATE mixed SET a = a WHERE 0; " : "; ") + random_select(random);
    if (pick(random, 5) == 0) text += fmt::format("; {}; SELECT 1", broken[pick(random, 2)]);
    const QueryOptions options{.batch_rows = 1 + pick(random, 70)};
    ASSERT_EQ(by_batches(connection, text, options), by_rows(connection, text)) << text;
  }
}

TEST(Batches, OfStoredColumnsAreTyped) {
  Words words(100);
  Connection connection = words.connect();
  Result<Query> running =
      query_all(connection, "SELECT *, id FROM word; SELECT id + 1 FROM word", {.verbatim = true});
  ASSERT_TRUE(running && *running->next_result());
  using enum DataType;
  EXPECT_EQ(**running->schema(),
            (Schema{{{"id", Int64}, {"word", Utf8}, {"value", Float64}, {"id", Int64}}}));
  EXPECT_TRUE(running->is_columnar());
  ASSERT_TRUE(running->next());
  ASSERT_TRUE(*running->next_result());
  EXPECT_EQ(**running->schema(), (Schema{{{"id + 1", Variant}}}));
}

TEST(Batches, NextResultDropsTheRest) {
  Words words(100);
  Connection connection = words.connect();
  Result<Query> running = query_all(connection,
                                    "CREATE TABLE t(a); SELECT id FROM word; SELECT id + 0 FROM "
                                    "word; DROP TABLE t; SELECT 7 AS last; DROP TABLE t",
                                    {.batch_rows = 10});
  ASSERT_TRUE(running);
  for (int result = 0; result < 2; ++result) {
    ASSERT_TRUE(*running->next_result());
    EXPECT_EQ((*running->next())->rows, 10u);
  }
  ASSERT_TRUE(*running->next_result());
  EXPECT_EQ(cell_at((*running->next())->columns[0], 0).integer, 7);
  EXPECT_FALSE(*running->next());
  EXPECT_FALSE(*running->next());
  const Result<bool> last = running->next_result();
  ASSERT_FALSE(last);
  EXPECT_NE(last.error().message.find("no such table: t"), std::string::npos);
  EXPECT_FALSE(*running->next_result());
  EXPECT_FALSE(*running->next());
}

TEST(Batches, SomeResultsAreNotShown) {
  Words words(10);
  Connection connection = words.connect();
  EXPECT_EQ(
      by_batches(connection,
                 "SELECT 1 AS a; SELECT id AS suppress_query_output FROM word; SELECT 2 AS b"),
      "a\n1\n--\nb\n2\n--\n");
  EXPECT_EQ(by_batches(connection, "CREATE TABLE t(a); DROP TABLE t"), "");
}

TEST(Batches, StopBetweenThem) {
  Words words(1000);
  Connection connection = words.connect();
  for (const char* sql : {"SELECT id FROM word; SELECT 1", "SELECT id + 0 FROM word; SELECT 1"}) {
    TextBatches some;
    some.stop_after = 2;
    EXPECT_TRUE(run(connection, sql, some, {.batch_rows = 10}));
    EXPECT_EQ(some.rows, (std::vector<size_t>{10, 10}));
    const auto stop = std::make_shared<Stop>();
    Result<Query> running = query_all(connection, sql, {.stop = stop, .batch_rows = 10});
    ASSERT_TRUE(running && *running->next_result() && *running->next());
    stop->request();
    const auto batch = running->next();
    ASSERT_FALSE(batch);
    EXPECT_EQ(batch.error().code, ErrorCode::Cancelled);
    EXPECT_FALSE(*running->next());
    EXPECT_FALSE(*running->next_result());
  }
}

// Returns the number of rows of each batch.
std::vector<size_t> batch_sizes(Connection& connection, std::string_view sql,
                                const QueryOptions& options) {
  std::vector<size_t> sizes;
  Result<Query> running = query(connection, sql, options);
  EXPECT_TRUE(running);
  for (auto batch = running->next(); batch && *batch; batch = running->next())
    sizes.push_back((*batch)->rows);
  return sizes;
}

TEST(Batches, EndAt16MegabytesOfTexts) {
  const auto count_up = [](std::string_view items) {
    return fmt::format(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) "
        "SELECT {} FROM n",
        items);
  };
  constexpr size_t kMegabyte = 1'000'000;
  Words words(60, kMegabyte);  // a third of the rows are NULL
  Connection connection = words.connect();
  const QueryOptions verbatim{.verbatim = true}, plain{.plain_text = true};
  EXPECT_EQ(batch_sizes(connection, count_up("printf('%.*c', 4000000, 'x')"), verbatim),
            (std::vector<size_t>{5, 5, 5, 5}));
  EXPECT_EQ(batch_sizes(connection, "SELECT word, id FROM word", verbatim),
            (std::vector<size_t>{26, 25, 9}));
  EXPECT_EQ(batch_sizes(connection, "SELECT word, id, word FROM word", verbatim),
            (std::vector<size_t>{14, 13, 14, 13, 6}));
  EXPECT_EQ(batch_sizes(connection, "SELECT word, id FROM word LIMIT 27", plain),
            (std::vector<size_t>{26, 1}));
  for (const QueryOptions& options : {verbatim, plain})
    EXPECT_EQ(batch_sizes(connection, count_up("zeroblob(2000000), i, zeroblob(2000000)"), options),
              (std::vector<size_t>{5, 5, 5, 5}));
}

TEST(Batches, EndWhereRowsAreSlow) {
  Words words(6);
  words.functions.push_back(
      {"slow(value LONG) LONG", "", [](std::span<const Cell> args) -> Result<Cell> {
         std::this_thread::sleep_for(std::chrono::milliseconds(20));
         return args[0];
       }});
  Connection connection = words.connect();
  const char* sql = "SELECT slow(id) FROM word";
  using namespace std::chrono_literals;
  EXPECT_EQ(batch_sizes(connection, sql, {}), (std::vector<size_t>{6}));
  EXPECT_GT(batch_sizes(connection, sql, {.batch_time = 1ms}).size(), 1u);
}

}  // namespace
}  // namespace tracebraid
