// Malformed and oversized statements: each gives its result or a clear error, and the connection
// goes on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

class BadInput : public testing::Test {
 protected:
  BadInput() {
    for (int64_t row = 0; row < 30'000; ++row) {
      value.append(row * 7919 % 10'007);
      few.append(row % 4);
    }
    connection = std::move(*connect_to({{"number",
                                         "",
                                         value.size(),
                                         {{.name = "id", .order = Order::Sorted},
                                          column_view("value", "", Order::None, value),
                                          column_view("few", "", Order::None, few)}}},
                                       strings, {}, ""));
  }
  ~BadInput() override { EXPECT_EQ(run("SELECT 1 AS a"), "a\n1\n--\n"); }
  BadInput(const BadInput&) = delete;
  BadInput& operator=(const BadInput&) = delete;

  std::string run(const std::string& sql) { return rows_of(*connection, sql); }
  std::string last_line(const std::string& sql) {
    const std::string text = run(sql);
    return text.substr(text.rfind('\n') + 1);
  }
  // The error of a query that may take so many bytes.
  std::optional<ErrorCode> error_within(size_t most_bytes, const std::string& sql) {
    TextRows sink;
    const Result<> ran = tracebraid::run(*connection, sql, sink, {.most_bytes = most_bytes});
    return ran ? std::nullopt : std::optional(ran.error().code);
  }

  StringPool strings;
  Column<int64_t> value, few;
  std::optional<Connection> connection;
};

// `count` texts, {0} for the number of each, with commas between them.
std::string list_of(size_t count, const char* text) {
  std::string list;
  for (size_t i = 0; i < count; ++i)
    list += (i == 0 ? "" : ", ") + fmt::format(fmt::runtime(text), i);
  return list;
}

TEST_F(BadInput, TenThousandColumns) {
  constexpr size_t kMany = 10'000;
  const std::string items = list_of(kMany, "{0} AS c{0}");
  const std::string too_many = "too many columns in result set";
  EXPECT_EQ(last_line("SELECT " + items), too_many);
  EXPECT_EQ(last_line("CREATE PERFETTO TABLE t AS SELECT " + items), too_many);
  EXPECT_EQ(last_line("CREATE PERFETTO VIEW v AS SELECT " + items), too_many);
  EXPECT_EQ(last_line("CREATE PERFETTO FUNCTION f() RETURNS TABLE(" + list_of(kMany, "c{0} LONG") +
                      ") AS SELECT " + items),
            too_many);
  EXPECT_TRUE(
      last_line("CREATE PERFETTO TABLE t(" + list_of(kMany, "c{0} LONG") + ") AS SELECT 1 AS c0")
          .starts_with("CREATE PERFETTO TABLE: the following columns are declared in the "
                       "schema, but do not exist: c1, c2, "));
  EXPECT_NE(run("CREATE PERFETTO FUNCTION f(" + list_of(kMany, "a{0} LONG") +
                ") RETURNS LONG AS SELECT 1")
                .find("error: "),
            std::string::npos);
  EXPECT_NE(run("SELECT hash(" + list_of(kMany, "{0}") + ")").find("too many arguments"),
            std::string::npos);
  // As many as SQLite takes.
  const std::string most = list_of(1999, "{0} AS c{0}");
  EXPECT_EQ(run("CREATE PERFETTO TABLE t AS SELECT " + most + "; SELECT c0 + c1998 AS x FROM t"),
            "x\n1998\n--\n");
}

TEST_F(BadInput, TenMegabytes) {
  constexpr size_t kBytes = 10'000'000;
  const std::string text(kBytes, 'x'), blanks(kBytes, ' ');
  EXPECT_EQ(run("SELECT length('" + text + "') AS n"), fmt::format("n\n{}\n--\n", kBytes));
  EXPECT_EQ(run("SELECT 1" + blanks + "AS n"), "n\n1\n--\n");
  EXPECT_EQ(run("/* " + text + " */ SELECT 1 AS n -- " + text), "n\n1\n--\n");
  EXPECT_TRUE(last_line("SELECT " + text).starts_with("no such column: xxx"));
  EXPECT_NE(run("SELECT '" + text).find("unrecognized token"), std::string::npos);
  EXPECT_NE(run("SELECT " + std::string(kBytes, '-') + "\n").find("error: "), std::string::npos);
}

// Each of many tokens costs time.
TEST_F(BadInput, ManyTokens) {
  constexpr size_t kBytes = 300'000;
  EXPECT_NE(run(std::string(kBytes, '(')).find("error: "), std::string::npos);
  std::string sum = "SELECT 1";
  while (sum.size() < kBytes) sum += "+1";
  EXPECT_NE(run(sum).find("Expression tree is too large"), std::string::npos);
  run("CREATE PERFETTO MACRO one(x Expr) RETURNS Expr AS length($x)");
  std::string calls = "SELECT 1";
  while (calls.size() < kBytes) calls += "+one!('x')";
  EXPECT_NE(run(calls).find("Expression tree is too large"), std::string::npos);
  EXPECT_NE(run("SELECT one" + std::string(kBytes, '!') + "(1)").find("error: "),
            std::string::npos);
  std::string rows = "(0)";
  size_t count = 1;
  for (; rows.size() < kBytes; ++count) rows += fmt::format(", ({})", count);
  EXPECT_EQ(run("SELECT count(*) AS n FROM (VALUES " + rows + ")"),
            fmt::format("n\n{}\n--\n", count));
  std::string statements;
  while (statements.size() < kBytes) statements += "SELECT 1 AS long_name_of_a_column WHERE 0;";
  TextRows sink;
  EXPECT_TRUE(tracebraid::run(*connection, statements, sink));
  EXPECT_EQ(sink.rows, 0U);
}

TEST_F(BadInput, TenMegabytesOfMacros) {
  constexpr size_t kBytes = 10'000'000;
  const std::string text(kBytes, 'x');
  run("CREATE PERFETTO MACRO one(x Expr) RETURNS Expr AS length($x);"
      "CREATE PERFETTO MACRO two(x Expr) RETURNS Expr AS length($x) + length($x);"
      "CREATE PERFETTO MACRO three(x Expr) RETURNS Expr AS length($x) + length($x) + length($x);"
      "CREATE PERFETTO MACRO itself(x Expr) RETURNS Expr AS 1 + itself!($x);"
      "CREATE PERFETTO MACRO ping(x Expr) RETURNS Expr AS pong!($x);"
      "CREATE PERFETTO MACRO pong(x Expr) RETURNS Expr AS ping!($x)");
  EXPECT_EQ(run("SELECT one!('" + text + "') AS n"), fmt::format("n\n{}\n--\n", kBytes));
  // The limit is 16 MiB more than the statement has.
  EXPECT_EQ(run("SELECT two!('" + text + "') AS n"), fmt::format("n\n{}\n--\n", 2 * kBytes));
  EXPECT_EQ(last_line("SELECT three!('" + text + "')"),
            "the expansion of macros is longer than 16 MiB");
  EXPECT_EQ(last_line("SELECT itself!(1)"), "recursive macro expansion: 'itself'");
  EXPECT_EQ(last_line("SELECT ping!(1)"), "recursive macro expansion: 'ping'");
  EXPECT_NE(run("CREATE PERFETTO MACRO long() RETURNS Expr AS " + text + "; SELECT long!()")
                .find("no such column: xxx"),
            std::string::npos);
}

TEST_F(BadInput, NulBytes) {
  using namespace std::string_literals;
  const std::string texts[] = {
      "SELECT 1\0"s,
      "SELECT \0 1"s,
      "SELECT '\0'"s,
      "\0"s,
      "SELECT 1; \0 SELECT 2"s,
      "CREATE PERFETTO TABLE t\0 AS SELECT 1 AS a"s,
      "CREATE PERFETTO TABLE t AS SELECT 1 AS \"a\0b\""s,
      "CREATE PERFETTO TABLE t AS SELECT 1 AS a\0; SELECT * FROM t"s,
      "CREATE PERFETTO VIEW v AS SELECT '\0' AS a"s,
      "CREATE PERFETTO FUNCTION f(x\0 LONG) RETURNS LONG AS SELECT 1"s,
      "CREATE PERFETTO FUNCTION g() RETURNS TABLE(a\0 LONG) AS SELECT 1 AS a"s,
      "CREATE PERFETTO MACRO m() RETURNS Expr AS \0 1; SELECT m!()"s,
      "CREATE PERFETTO MACRO n(x Expr) RETURNS Expr AS $x; SELECT n!(\0)"s,
      "CREATE PERFETTO INDEX i ON t(a\0)"s,
      "INCLUDE PERFETTO MODULE a\0.b"s,
      "DROP PERFETTO INDEX i\0 ON t"s,
      "CREATE VIRTUAL TABLE x USING span_join(a\0, b)"s};
  for (const std::string& text : texts) {
    const std::string got = run(text);
    EXPECT_NE(got.find("error: "), std::string::npos) << fmt::format("{:?}: {}", text, got);
  }
  // Values may have them.
  EXPECT_EQ(run("CREATE PERFETTO TABLE t AS SELECT 'a' || char(0) || 'b' AS x;"
                "SELECT length(CAST(x AS BLOB)) AS n, hash(x) = hash('a') AS h FROM t"),
            "n, h\n3, 0\n--\n");
}

TEST_F(BadInput, TablesOfOneQueryShareItsLimitOfMemory) {
  const auto create = [](const std::string& name) {
    return fmt::format(
        "CREATE OR REPLACE PERFETTO TABLE {} AS SELECT value * 1.5 AS x FROM number;", name);
  };
  // 240,000 bytes each.
  constexpr size_t kLimit = 600'000;
  EXPECT_EQ(error_within(kLimit, create("a") + create("b")), std::nullopt);
  EXPECT_EQ(error_within(kLimit, create("a") + create("b") + create("c")), ErrorCode::Limit);
  // Those of earlier queries, and those that were dropped, do not count.
  EXPECT_EQ(error_within(kLimit, create("d")), std::nullopt);
  EXPECT_EQ(error_within(kLimit, create("a") + create("a") + create("a") + create("a")),
            std::nullopt);
  EXPECT_EQ(error_within(100'000, create("e")), ErrorCode::Limit);
}

TEST_F(BadInput, GroupsAndJoinsAreCountedByTheLimitOfMemory) {
  connection->set_least_rows_to_group(0);
  const std::string groups = "SELECT value, count(*) AS n FROM number GROUP BY value HAVING n < 0";
  EXPECT_EQ(error_within(50'000'000, groups), std::nullopt);
  EXPECT_EQ(error_within(100'000, groups), ErrorCode::Limit);
  const std::string joined =
      "SELECT count(*) FROM number a JOIN number b ON b.value = a.id WHERE b.few < 3";
  EXPECT_EQ(error_within(50'000'000, joined), std::nullopt);
  EXPECT_EQ(error_within(20'000, joined), ErrorCode::Limit);
  // The rows that a filter chose, as input of an operator.
  run("CREATE VIEW chosen AS SELECT id AS ts, few AS part FROM number WHERE value != 1;"
      "CREATE VIEW whole AS SELECT 0 AS ts, 30000 AS dur;"
      "CREATE VIRTUAL TABLE joined USING span_join(chosen, whole)");
  const std::string span_join = "SELECT count(*) AS n FROM joined";
  EXPECT_EQ(error_within(50'000'000, span_join), std::nullopt);
  EXPECT_EQ(error_within(100'000, span_join), ErrorCode::Limit);
}

}  // namespace
}  // namespace tracebraid
