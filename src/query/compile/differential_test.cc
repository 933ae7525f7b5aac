// Random queries on virtual tables and on copies of their rows in tables of SQLite: the results
// must be equal, also in order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "query/compile/answer_test.h"
#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

using Random = std::mt19937;

int64_t pick(Random& random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

const std::vector<std::string>& words() {
  static const std::vector<std::string> kWords = {"",   "a",  "A",   "ab",   "abc",
                                                  "b",  "é",  "1",   "1.0",  " 2",
                                                  "10", "z*", "z?[", "\xff", "long name"};
  return kWords;
}

// A computed column: each value in four rows, in order.
Cell quarter(const void*, size_t row, const StringPool&) {
  return Cell::of(static_cast<int64_t>(row / 4));
}
std::pair<size_t, size_t> rows_of_quarter(const void* rows, int64_t value) {
  const size_t count = *static_cast<const size_t*>(rows);
  const auto begin = static_cast<size_t>(std::clamp<int64_t>(value, 0, 1 << 20)) * 4;
  if (value < 0 || begin >= count) return {0, 0};
  return {begin, std::min(begin + 4, count)};
}
Cell word_of_row(const void*, size_t row, const StringPool&) {
  const std::string& word = words()[row * 7 % words().size()];
  return row % 5 == 0 ? Cell::null() : Cell::of(std::string_view(word));
}

// One column of each type, filled at random.
struct Numbers {
  StringPool strings;
  Column<int64_t> ts, big;
  Column<uint32_t> track;
  Column<uint8_t> flag;
  Column<OptInt> maybe;
  Column<OptRow> parent;
  Column<double> value;
  Column<StringId> name;
  SparseColumn sparse;
  size_t rows;
  TableView view;

  Numbers(size_t row_count, Random& random) : rows(row_count) {
    constexpr auto kMin = std::numeric_limits<int64_t>::min();
    constexpr auto kMax = std::numeric_limits<int64_t>::max();
    const int64_t bigs[] = {kMin, kMin + 1, -1, 0, 1, 1 << 20, (int64_t{1} << 53) + 1, kMax};
    const double reals[] = {-HUGE_VAL, -1.5, -1, 0.0, 0.5, 1, 9007199254740992.0, 1e300, HUGE_VAL};
    int64_t now = -5;
    for (size_t row = 0; row < rows; ++row) {
      ts.append(now += pick(random, 0, 2));
      big.append(bigs[pick(random, 0, 7)]);
      track.append(static_cast<uint32_t>(pick(random, 0, 9)));
      flag.append(static_cast<uint8_t>(pick(random, 0, 1)));
      maybe.append({pick(random, 0, 3) == 0 ? OptInt::kNull : pick(random, -4, 4)});
      parent.append(
          {pick(random, 0, 3) == 0 ? OptRow::kNull : static_cast<uint32_t>(pick(random, 0, 40))});
      value.append(pick(random, 0, 3) == 0 ? std::nan("") : reals[pick(random, 0, 8)]);
      const auto word = static_cast<size_t>(pick(random, 0, static_cast<int64_t>(words().size())));
      name.append(word == words().size() ? StringId{} : strings.intern(words()[word]));
      if (pick(random, 0, 4) == 0) sparse.set(row, pick(random, -3, 3));
    }
    view = {"numbers",
            "",
            rows,
            {{.name = "id", .order = Order::Sorted},
             column_view("ts", "", Order::Sorted, ts),
             column_view("big", "", Order::None, big),
             column_view("track", "", Order::None, track),
             column_view("flag", "", Order::None, flag),
             column_view("maybe", "", Order::None, maybe),
             column_view("parent", "", Order::None, parent),
             column_view("value", "", Order::None, value),
             column_view("name", "", Order::None, name),
             column_view("sparse", "", Order::None, sparse),
             {"quarter", "", SqlType::Integer, CellType::Computed, Order::Sorted, &rows, quarter,
              false, rows_of_quarter},
             {"quarter2", "", SqlType::Integer, CellType::Computed, Order::Sorted, &rows, quarter},
             {"word", "", SqlType::Text, CellType::Computed, Order::None, nullptr, word_of_row}}};
  }

  Connection connect() {
    // Plain scans fill the copies before the comparison.
    const std::string_view prelude =
        "CREATE TABLE untyped(id, ts, big, track, flag, maybe, parent, value, name, sparse, "
        "quarter, quarter2, word);"
        "INSERT INTO untyped SELECT * FROM numbers;"
        "CREATE TABLE typed(id INTEGER, ts INTEGER, big INTEGER, track INTEGER, flag INTEGER, "
        "maybe INTEGER, parent INTEGER, value DOUBLE, name TEXT, sparse INTEGER, quarter INTEGER, "
        "quarter2 INTEGER, word TEXT);"
        "INSERT INTO typed SELECT * FROM numbers;"
        "CREATE TABLE other(k, t TEXT, i INTEGER);"
        "INSERT INTO other SELECT maybe, name, parent FROM numbers WHERE id % 7 = 0 LIMIT 30;"
        "INSERT INTO other SELECT name, value, track FROM numbers WHERE id % 7 = 1 LIMIT 30;"
        "INSERT INTO other SELECT value, parent, ts FROM numbers WHERE id % 7 = 2 LIMIT 30;";
    Result<Connection> made = connect_to({view}, strings, {}, prelude);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }

  std::string column(Random& random) const {
    return std::string(
        view.columns[static_cast<size_t>(pick(random, 0, std::ssize(view.columns) - 1))].name);
  }
};

std::string quoted(const std::string& text) { return "'" + text + "'"; }

std::string constant(Random& random, size_t rows) {
  switch (pick(random, 0, 9)) {
    case 0:
      return "NULL";
    case 1:
      return quoted(words()[static_cast<size_t>(pick(random, 0, std::ssize(words()) - 1))]);
    case 2:
      return fmt::format("{}.5", pick(random, -3, 12));
    case 3:
      return fmt::format("{}.0", pick(random, -3, 12));
    case 4:
      return "x'61'";
    case 5: {
      const char* far[] = {"9223372036854775807",
                           "-9223372036854775808",
                           "9007199254740993",
                           "9007199254740992.0",
                           "1e300",
                           "-1e999",
                           "1e999",
                           "9223372036854775808.0",
                           "4294967295",
                           "4294967296"};
      return far[pick(random, 0, 9)];
    }
    case 6:
      return fmt::format("{}", pick(random, 0, static_cast<int64_t>(rows)));
    default:
      return fmt::format("{}", pick(random, -6, 45));
  }
}

std::string comparison(Random& random, const Numbers& numbers) {
  const std::string column = numbers.column(random);
  const char* ops[] = {"=", "=", "!=", "<", "<=", ">", ">=", "IS", "IS NOT"};
  const auto op = pick(random, 0, 11);
  if (op == 9) return column + " IS NULL";
  if (op == 10) return column + " IS NOT NULL";
  if (op == 11) {
    const char* patterns[] = {"a*", "*", "?", "ab", "[a-c]*", "1*", ""};
    const char* likes[] = {"a%", "%B", "_", "", "1%"};
    const bool glob = pick(random, 0, 1) == 0;
    const std::string text = pick(random, 0, 1) == 0 ? "name" : "word";
    return glob ? fmt::format("{} GLOB '{}'", text, patterns[pick(random, 0, 6)])
                : fmt::format("{} LIKE '{}'", text, likes[pick(random, 0, 4)]);
  }
  return fmt::format("{} {} {}", column, ops[op], constant(random, numbers.rows));
}

std::string order_by(Random& random, const Numbers& numbers) {
  std::string order;
  for (int64_t i = pick(random, 0, 3); i > 0; --i)
    order += fmt::format("{}{}{}", order.empty() ? " ORDER BY " : ", ", numbers.column(random),
                         pick(random, 0, 1) == 0 ? " DESC" : "");
  return order;
}

std::string limit(Random& random) {
  if (pick(random, 0, 3) != 0) return {};
  return fmt::format(" LIMIT {} OFFSET {}", pick(random, 0, 80), pick(random, 0, 5));
}

// Expects the same result of `sql`, with {} for the table, from both tables.
void expect_same(Connection& connection, const std::string& sql, const char* copy) {
  const std::string expected = rows_of(connection, fmt::format(fmt::runtime(sql), copy));
  const std::string got = rows_of(connection, fmt::format(fmt::runtime(sql), "numbers"));
  ASSERT_EQ(got, expected) << sql << "\n"
                           << rows_of(connection, "EXPLAIN QUERY PLAN " +
                                                      fmt::format(fmt::runtime(sql), "numbers"));
}

class Differential : public testing::TestWithParam<size_t> {
 protected:
  Random random{static_cast<unsigned>(GetParam())};
  Numbers numbers{GetParam(), random};
  Connection connection = numbers.connect();
  const int repeats = GetParam() > 1000 ? 150 : 800;
};

TEST_P(Differential, FiltersAndOrder) {
  for (int i = 0; i < repeats && !HasFatalFailure(); ++i) {
    std::string where;
    for (int64_t n = pick(random, 0, 3); n > 0; --n)
      where += (where.empty() ? " WHERE " : " AND ") + comparison(random, numbers);
    expect_same(connection, "SELECT * FROM {}" + where + order_by(random, numbers) + limit(random),
                "untyped");
  }
}

TEST_P(Differential, SetsOfValues) {
  for (int i = 0; i < repeats / 4 && !HasFatalFailure(); ++i) {
    // Several values, because SQLite turns a single one into `=`, which is another comparison.
    std::string values = constant(random, numbers.rows);
    for (int64_t n = pick(random, 1, 6); n > 0; --n)
      values += (values.empty() ? "" : ", ") + constant(random, numbers.rows);
    const char* lists[] = {"SELECT k FROM other", "SELECT i FROM other", "SELECT t FROM other"};
    const int64_t source = pick(random, 0, 5);
    if (source < 3) values = lists[source];
    expect_same(connection,
                fmt::format("SELECT * FROM {{}} WHERE {} IN ({}) AND {} IN (0, 1, 2, '1'){}",
                            numbers.column(random), values, numbers.column(random),
                            order_by(random, numbers)),
                "typed");
  }
}

TEST_P(Differential, Joins) {
  const char* keys[] = {"k", "t", "i", "k + 0", "t || ''"};
  const char* ops[] = {"=", "=", "=", "<", ">=", "IS"};
  for (int i = 0; i < repeats / 8 && !HasFatalFailure(); ++i) {
    expect_same(
        connection,
        fmt::format("SELECT o.rowid, n.* FROM other o CROSS JOIN {{}} n ON n.{} {} o.{} "
                    "WHERE n.id < 200 ORDER BY o.rowid, n.id",
                    numbers.column(random), ops[pick(random, 0, 5)], keys[pick(random, 0, 4)]),
        "typed");
  }
}

TEST_P(Differential, GroupsAndDistinct) {
  for (int i = 0; i < repeats / 8 && !HasFatalFailure(); ++i) {
    const std::string a = numbers.column(random), b = numbers.column(random);
    expect_same(connection,
                fmt::format("SELECT {}, {}, count(*), min(id) FROM {{}} WHERE {} GROUP BY 1, 2", a,
                            b, comparison(random, numbers)),
                "untyped");
    expect_same(connection, fmt::format("SELECT DISTINCT {}, {} FROM {{}}", a, b), "untyped");
    expect_same(connection, fmt::format("SELECT DISTINCT {} FROM {{}} ORDER BY 1 DESC", a),
                "untyped");
  }
}

// A random statement with its parameters, in one of the ways to write variables.
class BoundStatement {
 public:
  BoundStatement(Random& random, const Numbers& numbers) : random_(random), numbers_(numbers) {
    sql = "SELECT " + (pick(random, 0, 2) == 0 ? "*" : column() + ", id, " + column()) + " FROM {}";
    for (int64_t n = pick(random, 0, 2), i = 0; i < n; ++i)
      sql += (i == 0 ? " WHERE " : " AND ") + condition();
    sql += order_by(random, numbers);
    if (pick(random, 0, 1) == 0) return;
    sql += " LIMIT " + variable(limit());
    if (pick(random, 0, 1) == 0) sql += " OFFSET " + variable(limit());
  }

  std::string sql;
  std::vector<Parameter> parameters;

 private:
  std::string column() { return numbers_.column(random_); }

  std::string variable(const Cell& cell) {
    const size_t number = parameters.size() + 1;
    parameters.push_back(Parameter::of(cell));
    if (style_ == 0) return "?";
    if (style_ == 1) return fmt::format("?{}", number);
    parameters.back().name = fmt::format("{}p{}", style_ == 3 ? "$" : "", number);
    return fmt::format("{}p{}", style_ == 2 ? ":" : style_ == 3 ? "$" : "@", number);
  }

  Cell value() {
    const int64_t bigs[] = {std::numeric_limits<int64_t>::min(),
                            std::numeric_limits<int64_t>::max(), 4294967296, 9007199254740993};
    switch (pick(random_, 0, 9)) {
      case 0:
        return Cell::null();
      case 1:
      case 2:
        return Cell::of(std::string_view(
            words()[static_cast<size_t>(pick(random_, 0, std::ssize(words()) - 1))]));
      case 3:
        return Cell::of(static_cast<double>(pick(random_, -6, 24)) / 2);
      case 4:
        return {Cell::Kind::Blob, 0, 0, "a"};
      case 5:
        return Cell::of(bigs[pick(random_, 0, 3)]);
      case 6:
        return Cell::of(pick(random_, 0, static_cast<int64_t>(numbers_.rows)));
      default:
        return Cell::of(pick(random_, -6, 45));
    }
  }
  Cell limit() {
    const int64_t kind = pick(random_, 0, 11);
    if (kind == 0) return Cell::of(std::string_view("7"));
    if (kind == 1) return Cell::of(3.0);
    if (kind == 2) return Cell::of(std::numeric_limits<int64_t>::max());
    return Cell::of(pick(random_, -2, 60));
  }

  std::string condition() {
    const char* ops[] = {"=", "=", "!=", "<", "<=", ">", ">=", "IS", "IS NOT"};
    const std::string name = column();
    switch (const int64_t kind = pick(random_, 0, 11)) {
      case 9:
        return fmt::format("{} BETWEEN {} AND {}", name, variable(value()), variable(value()));
      case 10: {
        std::string set = variable(value());
        for (int64_t n = pick(random_, 1, 3); n > 0; --n) set += ", " + variable(value());
        return fmt::format("{} IN ({})", name, set);
      }
      case 11:
        return fmt::format("{} {} {}", variable(value()), ops[pick(random_, 0, 6)], name);
      default:
        return fmt::format("{} {} {}", name, ops[kind], variable(value()));
    }
  }

  Random& random_;
  const Numbers& numbers_;
  const int64_t style_ = pick(random_, 0, 4);
};

TEST_P(Differential, BoundParametersInBatches) {
  int columnar = 0;
  for (int i = 0; i < repeats && !HasFatalFailure(); ++i) {
    const BoundStatement statement(random, numbers);
    const auto of = [&](const char* table) {
      return fmt::format(fmt::runtime(statement.sql), table);
    };
    const QueryOptions options{.parameters = statement.parameters,
                               .batch_rows = static_cast<size_t>(pick(random, 1, 5000))};
    const Answer got = answer(connection, of("numbers"), options);
    std::string values;
    for (const Parameter& parameter : statement.parameters) values += shown(parameter.cell()) + " ";
    const auto or_error = [](const std::string& text) {
      return text.find("error: ") == std::string::npos ? text : "error";
    };
    ASSERT_EQ(or_error(got.text), or_error(by_rows(connection, of("typed"), options)))
        << statement.sql << "\n"
        << values << "\n"
        << (got.is_columnar ? "column by column" : "by SQLite") << "\n"
        << rows_of(connection, "EXPLAIN QUERY PLAN " + of("numbers"), options);
    columnar += got.is_columnar ? 1 : 0;
  }
  RecordProperty("columnar", columnar);
  EXPECT_GT(columnar, repeats * 6 / 10);
}

INSTANTIATE_TEST_SUITE_P(Rows, Differential, testing::Values(0, 1, 50, 300, 3000));

}  // namespace
}  // namespace tracebraid
