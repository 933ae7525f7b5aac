// Aggregates of pure functions, counted rows of table functions and joins to rows by number: the
// rewritten statements give what SQLite gives, with any number of threads. So do random statements.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <random>

#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

// The numbers 0 to n - 1 for an argument n; none for NULL, an error below 0.
struct Numbers final : TableFunctionRows {
  Result<> call(std::span<const Cell> arguments) override {
    left = arguments[0].kind == Cell::Kind::Int ? arguments[0].integer : 0;
    if (left < 0) return fail(ErrorCode::Sql, "no numbers below 0");
    return {};
  }
  Result<size_t> next_chunk() override {
    const int64_t chunk = std::min<int64_t>(left, 3);
    left -= chunk;
    return static_cast<size_t>(chunk);
  }
  Cell cell(size_t row, size_t) const override { return Cell::of(static_cast<int64_t>(row)); }
  int64_t left = 0;
};

// Odd numbers give themselves, even numbers NULL, numbers divisible by 21 a text.
Result<Cell> odd(std::span<const Cell> arguments) {
  if (arguments[0].kind != Cell::Kind::Int) return Cell::null();
  const int64_t n = arguments[0].integer;
  if (arguments[1].text == "fails" && n == 77) return fail(ErrorCode::Sql, "77");
  if (arguments[1].text == "text" && n % 21 == 0) return Cell::of(std::string_view("text"));
  return n % 2 == 0 ? Cell::null() : Cell::of(n);
}

std::atomic<size_t> rows_at_once = 0;  // computed by odd_numbers()

// SqlFunction::call_for_integers of odd().
bool odd_numbers(std::span<const Cell> constants, std::span<int64_t> values,
                 std::span<bool> valid) {
  if (constants.size() != 1) return false;
  rows_at_once += values.size();
  for (size_t i = 0; i < values.size(); ++i) {
    const Cell arguments[] = {valid[i] ? Cell::of(values[i]) : Cell::null(), constants[0]};
    const Result<Cell> result = odd(arguments);
    if (!result || result->kind == Cell::Kind::Text) return false;
    valid[i] = result->kind == Cell::Kind::Int;
    values[i] = result->integer;
  }
  return true;
}

struct Events {
  StringPool strings;
  size_t rows;
  PackedColumn<OptRow> parent;
  PackedColumn<uint32_t> few;
  Column<OptInt> number;
  Column<StringId> name;

  explicit Events(size_t row_count = 40'000) : rows(row_count) {
    for (size_t row = 0; row < rows; ++row) {
      // Some parents do not exist.
      parent.append({row % 5 == 0 ? OptRow::kNull : static_cast<uint32_t>(row * 7 % (rows + 99))});
      few.append(static_cast<uint32_t>(row % 4));
      number.append({row % 11 == 0 ? OptInt::kNull : static_cast<int64_t>(row) - 5});
      name.append(strings.intern("name " + std::to_string(row % 3)));
    }
  }
  Connection connect(unsigned threads) const {
    constexpr ColumnView kId{.name = "id", .order = Order::Sorted};
    const TableView view{
        "event",
        "",
        rows,
        {kId, column_view("parent", "", Order::None, parent),
         column_view("few", "", Order::None, few), column_view("number", "", Order::None, number),
         column_view("name", "", Order::None, name)}};
    SqlFunction function{"odd(n LONG, mode STRING) ANY", "", odd};
    function.is_pure = true;
    SqlFunction quick{"quick(n LONG, mode STRING) ANY", "", odd};
    quick.is_pure = true;
    quick.call_for_integers = odd_numbers;
    const TableFunction numbers{"numbers",
                                "",
                                {{"n", "LONG", ""}},
                                {{"value", SqlType::Integer, ""}},
                                [] { return std::make_unique<Numbers>(); },
                                {},
                                true};
    Result<Connection> made = Connection::open(std::make_shared<const TableSet>(TableSetParts{
        .tables = {view},
        .strings = &strings,
        .functions = [function, quick](const StopCheck&) { return std::vector{function, quick}; },
        .table_functions = {numbers},
        .prelude = "CREATE VIEW shown AS SELECT id, parent, few, number, name, "
                   "few * 2 AS twice FROM event;",
        .threads = threads}));
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
};

constexpr const char* kStatements[] = {
    "SELECT sum(odd(number, 'x')), count(odd(number, 'x')), count(*) FROM event",
    "SELECT name, min(odd(number, 'x')), max(odd(number, 'x')), avg(odd(number, 'x')) FROM event "
    "GROUP BY name ORDER BY name",
    "SELECT sum(odd(id, 'x')) FROM event WHERE few = 2 OR few = 1",
    "SELECT sum(odd(id, 'x')) FROM event WHERE id > 1000 AND few IN (1, 3)",
    "SELECT sum(odd(number, 'text')) FROM event",
    "SELECT count(odd(number, 'text')) FROM event",
    "SELECT sum(odd(number, 'fails')) FROM event",
    "SELECT sum(odd(number, 5)) FROM event",
    "SELECT sum(odd(name, 'x')) FROM event",
    "SELECT count(*) FROM event, numbers(event.few)",
    "SELECT count(*), count(*) + 1 AS more FROM event e JOIN numbers(few) n WHERE e.id < 30000",
    "SELECT count(*) FROM event, numbers(event.number) WHERE number < 50 AND number > 0",
    "SELECT count(*) FROM event, numbers(number) WHERE number < 50",
    "SELECT few, count(*) FROM event, numbers(few) GROUP BY few",
    "SELECT count(*), sum(value) FROM event, numbers(few)",
    "SELECT count(*) FROM event, numbers(few) WHERE value = 1",
    "SELECT count(*), sum(id) FROM event, numbers(few)",
    "SELECT count(*) FROM event JOIN event AS p ON event.parent = p.id",
    "SELECT count(*) FROM event JOIN event AS p ON p.id = event.parent WHERE event.few = 1",
    "SELECT count(*) FROM event LEFT JOIN event AS p ON p.id = event.parent",
    "SELECT event.name, count(*), sum(event.id) FROM event JOIN event AS p ON p.id = event.parent "
    "GROUP BY event.name ORDER BY 1",
    "SELECT p.name, count(*) FROM event JOIN event AS p ON p.id = event.parent GROUP BY p.name "
    "ORDER BY 1",
    "SELECT count(*) FROM event JOIN event AS p ON p.id = event.parent AND p.few = 1",
    "SELECT count(*) FROM event a JOIN event b ON b.id = a.parent JOIN event c ON c.id = a.few",
    "SELECT count(*) FROM event a JOIN event b ON b.id = a.parent JOIN event c ON c.id = b.few",
    "SELECT count(*) FROM event a JOIN event b ON b.id = a.number, numbers(a.few)",
    "SELECT count(*) FROM event a JOIN event b ON b.parent = a.id",
    "SELECT count(*) FROM event a JOIN event b ON a.id = b.parent WHERE b.name = 'name 1'",
    "SELECT count(*), count() + 2 FROM event a JOIN event b ON b.number = a.parent WHERE a.id > 99 "
    "AND b.name IN ('name 0', 'name 2') AND b.id BETWEEN 7 AND 30000",
    "SELECT count(*) FROM event a JOIN event b ON b.number = a.number WHERE b.number >= 0",
    "SELECT count(*) FROM event a JOIN event b USING (parent) WHERE a.id < 3 AND b.id < 9000",
    "SELECT count(*) FROM event a JOIN event b USING (parent)",
    "SELECT count(*) FROM event a JOIN event b USING (parent) WHERE parent = 7",
    "SELECT count(*) FROM event a JOIN event b ON b.parent = a.id WHERE b.name > a.name",
    "SELECT count(*) FROM event a JOIN event b ON b.parent = a.id WHERE b.name = 1",
    "SELECT count(*) FROM event a JOIN event b ON b.parent = a.id WHERE b.number IS NULL",
    "SELECT count(*) FROM event a JOIN event b ON b.parent = a.id WHERE b.number IS NOT NULL OR "
    "b.few = 1",
    "SELECT count(*), sum(a.id) FROM event a JOIN event b ON b.parent = a.id",
    "SELECT a.few, count(*) FROM event a JOIN event b ON b.parent = a.id GROUP BY a.few",
    "SELECT count(*) FROM event a LEFT JOIN event b ON b.parent = a.id",
    "SELECT count(*) FROM event a JOIN event b ON b.parent = a.id JOIN event c ON c.id = a.parent",
    "SELECT count(*) FROM event a JOIN event b ON b.parent = a.id WHERE a.name = 'none'",
    "SELECT count(*) FROM event a JOIN event b ON b.parent = a.id WHERE b.name = 'none'"};

TEST(DerivedValues, GiveWhatSqliteGives) {
  const Events events;
  for (const unsigned threads : {1U, 2U, 5U}) {
    Connection connection = events.connect(threads);
    for (const char* const sql : kStatements) {
      connection.set_least_rows_to_group(0);
      const std::string pushed = rows_of(connection, sql);
      connection.set_least_rows_to_group(~size_t{0});
      EXPECT_EQ(pushed, rows_of(connection, sql)) << sql;
    }
  }
}

TEST(DerivedValues, OfManyRowsAtOnceAreTheSame) {
  const Events events;
  for (const unsigned threads : {1U, 3U}) {
    Connection connection = events.connect(threads);
    for (const char* const sql : kStatements) {
      std::string quick = sql;
      for (size_t at = 0; (at = quick.find("odd(", at)) != std::string::npos;)
        quick.replace(at, 3, "quick");
      if (quick == sql) continue;
      connection.set_least_rows_to_group(0);
      rows_at_once = 0;
      const std::string pushed = rows_of(connection, quick);
      const auto has = [&](const char* part) { return quick.find(part) != std::string::npos; };
      const bool is_integer =
          (has("sum(quick(") || has("min(quick(")) && !has("(name") && !has("5)");
      EXPECT_EQ(rows_at_once > 0, is_integer) << quick;
      connection.set_least_rows_to_group(~size_t{0});
      EXPECT_EQ(pushed, rows_of(connection, quick)) << quick;
    }
  }
}

using Random = std::mt19937;

template <class Choices>
std::string one_of(Random& random, const Choices& choices) {
  std::uniform_int_distribution<size_t> at(0, std::size(choices) - 1);
  return std::string(*(std::begin(choices) + static_cast<ptrdiff_t>(at(random))));
}
bool one_in(Random& random, int n) { return std::uniform_int_distribution<int>(1, n)(random) == 1; }

// A statement over `event a`, in most cases with joins that only count rows, with derived columns,
// filters, groups, an order and a limit.
std::string random_statement(Random& random) {
  constexpr std::string_view kJoins[] = {
      " JOIN event b ON b.id = a.parent",
      " LEFT JOIN event b ON b.id = a.parent",
      " JOIN event b ON b.id = a.number",
      " JOIN event b ON b.parent = a.id",
      " JOIN event b ON b.number = a.parent",
      " JOIN event b USING (parent)",
      " LEFT JOIN event b ON b.parent = a.id",
      " JOIN shown b ON b.id = a.parent",
      " JOIN event b ON b.id = a.parent JOIN event c ON c.id = b.parent",
      " JOIN event b ON b.id = a.few JOIN event c ON c.parent = a.id"};
  constexpr std::string_view kCalls[] = {", numbers(a.few)", ", numbers(a.number)",
                                         " JOIN numbers(a.few) n", " JOIN numbers(b.few) n"};
  constexpr std::string_view kColumns[] = {"a.few", "a.name", "a.number", "a.parent", "a.id"};
  constexpr std::string_view kOthers[] = {"b.few", "b.name", "b.id", "value", "a.few % 2", "twice"};
  constexpr std::string_view kAggregates[] = {"count(*)",
                                              "count()",
                                              "count(a.number)",
                                              "sum(a.id)",
                                              "total(a.number)",
                                              "avg(a.few)",
                                              "min(a.name)",
                                              "max(a.number)",
                                              "sum(odd(a.number, 'x'))",
                                              "count(odd(a.id, 'x'))",
                                              "min(odd(a.number, 'x'))",
                                              "max(odd(a.few, 'x')) + 1",
                                              "sum(odd(a.number, 'text'))",
                                              "count(odd(a.number, 'text'))",
                                              "sum(odd(a.id, 'fails'))",
                                              "sum(odd(b.number, 'x'))",
                                              "sum(value)"};
  constexpr std::string_view kFilters[] = {"a.few = 1",
                                           "a.id < 200",
                                           "a.id >= 17",
                                           "a.name = 'name 1'",
                                           "a.name IN ('name 0', 'name 2')",
                                           "a.number < 40",
                                           "a.number BETWEEN 3 AND 30",
                                           "a.number IS NOT NULL",
                                           "a.parent IS NULL",
                                           "a.few != 2 OR a.id = 5",
                                           "b.few = 1",
                                           "b.id > 30",
                                           "b.name >= 'name 1'",
                                           "b.number IS NULL",
                                           "value < 2",
                                           "b.name > a.name",
                                           "a.id % 3 = 0",
                                           "odd(a.id, 'x') > 9",
                                           "a.name = 1",
                                           "a.number = 'x'"};
  std::string from = one_in(random, 6) ? "shown a" : "event a";
  if (!one_in(random, 4)) from += one_of(random, kJoins);
  if (one_in(random, 3)) from += one_of(random, kCalls);
  std::vector<std::string> groups, items;
  for (int n = one_in(random, 2) ? 0 : one_in(random, 3) ? 2 : 1; n > 0; --n)
    groups.push_back(one_in(random, 3) ? one_of(random, kOthers) : one_of(random, kColumns));
  items = groups;
  do items.push_back(one_of(random, kAggregates));
  while (one_in(random, 2));
  std::string sql = fmt::format("SELECT {} FROM {}", fmt::join(items, ", "), from);
  std::string_view word = " WHERE ";
  for (; !one_in(random, 2); word = " AND ") sql.append(word) += one_of(random, kFilters);
  if (!groups.empty()) sql += fmt::format(" GROUP BY {}", fmt::join(groups, ", "));
  if (!groups.empty() && one_in(random, 5))
    sql += fmt::format(" HAVING {} > 3", one_of(random, kAggregates));
  if (!one_in(random, 3))
    sql += fmt::format(" ORDER BY {}{}", one_in(random, 2) ? "1" : one_of(random, kAggregates),
                       one_in(random, 2) ? " DESC" : "");
  if (one_in(random, 4)) sql += one_in(random, 2) ? " LIMIT 3" : " LIMIT 2 OFFSET 1";
  return sql;
}

class RandomDerivedValues : public testing::TestWithParam<unsigned> {};

TEST_P(RandomDerivedValues, GiveWhatSqliteGives) {
  const Events events(GetParam() * 150);
  Connection connection = events.connect(1 + GetParam() % 3);
  Random random(GetParam());
  QueryStats stats;
  size_t pushed_count = 0, valid_count = 0;
  for (int i = 0; i < 600; ++i) {
    const std::string sql = random_statement(random);
    connection.set_least_rows_to_group(0);
    stats.statements.clear();
    connection.set_stats(&stats);
    const std::string pushed = rows_of(connection, sql);
    connection.set_stats(nullptr);
    for (const QueryStats::Statement& statement : stats.statements)
      for (const QueryStats::Operator& entry : statement.operators)
        pushed_count += entry.name.starts_with("group ") ? 1 : 0;
    connection.set_least_rows_to_group(~size_t{0});
    const std::string plain = rows_of(connection, sql);
    ASSERT_EQ(pushed, plain) << sql;
    valid_count += plain.starts_with("error") ? 0 : 1;
  }
  EXPECT_GT(valid_count, 250U);
  EXPECT_GT(pushed_count, 100U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomDerivedValues, testing::Range(0U, 5U));

TEST(DerivedValues, EndWithTheStatement) {
  const Events events;
  Connection connection = events.connect(2);
  connection.set_least_rows_to_group(0);
  TextRows sink;
  const auto stop = std::make_shared<Stop>();
  stop->request();
  const Result<> ran =
      run(connection, "SELECT count(*) FROM event, numbers(event.few)", sink, {.stop = stop});
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace tracebraid
