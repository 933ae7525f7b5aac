// Functions of text that replace those of SQLite: the same results, and an end in the middle of a
// call.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "query/compile/query.h"
#include "query/compile/rows_test.h"
#include "query/functions/call_apart.h"

namespace tracebraid {
namespace {

class LongTexts : public testing::Test {
 protected:
  StringPool strings;
  Connection connection = std::move(*connect_to({}, strings, {}, ""));
};

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};

// Returns the type and bytes of a value, as text.
std::string described(const std::string& expression) {
  return fmt::format("typeof({0}) || quote(CAST({0} AS BLOB))", expression);
}

// Returns the value of an expression as SQLite's own functions compute it, or the error.
std::string of_sqlite(sqlite3* db, const std::string& expression) {
  std::string text;
  char* error = nullptr;
  const auto add = [](void* to, int, char** values, char**) {
    static_cast<std::string*>(to)->append(values[0] == nullptr ? "NULL" : values[0]);
    return 0;
  };
  const std::string sql = "SELECT " + expression;
  if (sqlite3_exec(db, sql.c_str(), add, &text, &error) != SQLITE_OK) {
    text = error;
    sqlite3_free(error);
  }
  return text;
}

std::string ours(Connection& connection, const std::string& expression) {
  TextRows rows;
  const Result<> ran = run(connection, "SELECT " + expression, rows);
  if (!ran) return ran.error().message.substr(ran.error().message.rfind('\n') + 1);
  const size_t begin = rows.text.find('\n') + 1;  // behind the name of the column
  std::string value = rows.text.substr(begin, rows.text.rfind("\n--") - begin);
  return value.starts_with('\'') ? value.substr(1, value.size() - 2) : value;
}

// Values of all types: characters of one to four bytes, bytes that are no UTF-8, NUL, numbers.
constexpr const char* kValues[] = {"NULL",
                                   "''",
                                   "'a'",
                                   "'abAB'",
                                   "'aXbXXc'",
                                   "'X'",
                                   "'XX'",
                                   "'  a b '",
                                   "'ä€𝄞ä'",
                                   "'ä'",
                                   "'€𝄞'",
                                   "CAST(x'80c3a4ff' AS TEXT)",
                                   "CAST(x'a4' AS TEXT)",
                                   "CAST(x'61006258' AS TEXT)",
                                   "x'58c3a458'",
                                   "x'c3a4'",
                                   "x''",
                                   "x'58'",
                                   "12",
                                   "-1.5",
                                   "1e20",
                                   "'1'",
                                   "'%_'",
                                   "'a%'",
                                   "'_b%'",
                                   "'%b_'",
                                   "'\\%a\\'"};

TEST_F(LongTexts, ShortOnesAreAsInSqlite) {
  sqlite3* opened = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &opened), SQLITE_OK);
  const std::unique_ptr<sqlite3, Close> db(opened);
  const auto expect_same = [&](const std::string& expression) {
    EXPECT_EQ(ours(connection, described(expression)), of_sqlite(db.get(), described(expression)))
        << expression;
  };
  for (const char* a : kValues) {
    for (const char* function : {"upper", "lower", "hex", "trim", "ltrim", "rtrim", "quote"})
      expect_same(fmt::format("{}({})", function, a));
    for (const char* b : kValues) {
      for (const char* function : {"instr", "trim", "ltrim", "rtrim"})
        expect_same(fmt::format("{}({}, {})", function, a, b));
      for (const char* by : {"NULL", "''", "'yX'", "5"})
        expect_same(fmt::format("replace({}, {}, {})", a, b, by));
    }
  }
}

// Numbers whose shortest form is another number.
TEST_F(LongTexts, QuotedNumbersAreAsInSqlite) {
  sqlite3* opened = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &opened), SQLITE_OK);
  const std::unique_ptr<sqlite3, Close> db(opened);
  for (const char* number : {"0.1", "1.0 / 3", "2e300", "-5e-324", "1e15", "123456789012345678.0",
                             "9223372036854775807", "-0.0", "1e999", "-1e999", "'it''s'", "''''"}) {
    const std::string expression = fmt::format("quote({})", number);
    EXPECT_EQ(ours(connection, "hex(" + expression + ")"),
              of_sqlite(db.get(), "hex(" + expression + ")"))
        << expression;
  }
}

// Texts of rows, of groups and of the frames of windows that move.
TEST_F(LongTexts, JoinedTextsAreAsInSqlite) {
  sqlite3* opened = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &opened), SQLITE_OK);
  const std::unique_ptr<sqlite3, Close> db(opened);
  std::string create = "CREATE TABLE t(a, b, c)";
  size_t row = 0;
  for (const char* text : kValues)
    for (const char* separator : {"','", "' - '", "NULL", "''", "7"})
      create += fmt::format("; INSERT INTO t VALUES ({}, {}, {})", text, separator, row++ % 9);
  // A text longer than a chunk.
  create += "; INSERT INTO t VALUES (replace(hex(zeroblob(70000)), '0', 'ab'), ',', 4)";
  ASSERT_EQ(sqlite3_exec(db.get(), create.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  ASSERT_EQ(rows_of(connection, create), "");
  for (const char* joined :
       {"group_concat(a)", "group_concat(a, b)", "group_concat(a, ', ')", "group_concat(b, a)",
        "group_concat(DISTINCT a)", "group_concat(a) FILTER (WHERE c = 3)"})
    for (const char* rows : {" FROM t", " FROM t WHERE c = 2", " FROM t WHERE c = 4",
                             " FROM t WHERE a IS NULL", " FROM t WHERE 0"}) {
      const std::string expression = described(joined) + rows;
      EXPECT_EQ(ours(connection, expression), of_sqlite(db.get(), expression)) << expression;
    }
  for (const char* joined : {"group_concat(a)", "group_concat(a, b)", "group_concat(c, b)"})
    for (const char* frame : {"1 PRECEDING AND 2 FOLLOWING", "UNBOUNDED PRECEDING AND CURRENT ROW",
                              "2 FOLLOWING AND 4 FOLLOWING", "3 PRECEDING AND 1 PRECEDING"}) {
      // SQLite 3.40 gives NULL for a frame whose only text is empty.
      const std::string sql = fmt::format(
          "hex(group_concat(quote(coalesce(x, '')))) FROM (SELECT {} OVER (PARTITION BY c "
          "ORDER BY rowid ROWS BETWEEN {}) AS x FROM t)",
          joined, frame);
      EXPECT_EQ(ours(connection, sql), of_sqlite(db.get(), sql)) << sql;
    }
  EXPECT_EQ(rows_of(connection, "SELECT string_agg(c, b) = group_concat(c, b) AS same FROM t"),
            "same\n1\n--\n");
}

// LIKE of the library reads other things than SQLite's: patterns and texts.
TEST_F(LongTexts, LikeIsAsInSqlite) {
  sqlite3* opened = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &opened), SQLITE_OK);
  const std::unique_ptr<sqlite3, Close> db(opened);
  constexpr const char* kPatterns[] = {
      "'%'",     "'_'",      "'a%b'",  "'%a%'", "'A_AB'",
      "'%_%_%'", "'!%%'",    "'a!_%'", "'!!%'", "'!'",
      "'a!'",    "'%!%_!_'", "'ä_'",   "'%ä'",  "'_€%'",
      "'Ä'",     "'%%a%%'",  "'__'",   "''",    "'%X%X%c'",
      "'%x_C'",  "12",       "'-1.%'", "NULL",  "CAST(x'612500' AS TEXT)"};
  constexpr const char* kTexts[] = {"''",     "'a'",
                                    "'ab'",   "'aXb'",
                                    "'abAB'", "'aXbXXc'",
                                    "'%'",    "'_'",
                                    "'a_b'",  "'a%b'",
                                    "'!'",    "'!%'",
                                    "'%b_'",  "'ä'",
                                    "'äb'",   "'x€y'",
                                    "'𝄞ä'",   "'12'",
                                    "12",     "-1.5",
                                    "NULL",   "CAST(x'61006258' AS TEXT)",
                                    "'Xxc'"};
  constexpr const char* kEscapes[] = {"'!'", "'%'", "'_'", "'ä'", "''", "'ab'", "NULL", "'a'"};
  const auto expect_same = [&](const std::string& expression) {
    EXPECT_EQ(ours(connection, described(expression)), of_sqlite(db.get(), described(expression)))
        << expression;
  };
  for (const char* pattern : kPatterns) {
    for (const char* text : kTexts) {
      expect_same(fmt::format("{} LIKE {}", text, pattern));
      for (const char* escape : kEscapes)
        expect_same(fmt::format("{} LIKE {} ESCAPE {}", text, pattern, escape));
    }
  }
  EXPECT_EQ(ours(connection, "x'61' LIKE 'a'"), "0");
  EXPECT_EQ(ours(connection, "'a' LIKE x'61'"), "0");
  // SQLite's own limit is smaller here.
  EXPECT_EQ(ours(connection,
                 "replace(hex(zeroblob(25000)), '0', 'a') LIKE "
                 "replace(hex(zeroblob(24999)), '0', 'A') || '_%'"),
            "1");
  EXPECT_EQ(ours(connection, "'a' LIKE hex(zeroblob(25001))"), "LIKE or GLOB pattern too complex");
}

// Calls that take longer than the deadline, most of them hours, about `a`, 8 million letters a.
constexpr const char* kLongCalls[] = {
    "a LIKE '%' || substr(a, 1, 49990) || 'b'",
    "a LIKE '%' || substr(a, 1, 49990) || '!b' ESCAPE '!'",
    "a GLOB '*' || substr(a, 1, 4000000) || 'b*'",
    "glob('*' || replace(substr(a, 1, 40000), 'a', '[abcdefgh]') || 'b', a)",
    "replace(a, substr(a, 1, 4000000) || 'b', '')",
    "instr(a, substr(a, 1, 4000000) || 'b')",
    "trim(a, replace(substr(a, 1, 4000000), 'a', 'b') || 'a')",
    "ltrim(a, replace(substr(a, 1, 4000000), 'a', 'b') || 'a')",
    "rtrim(a, replace(substr(a, 1, 4000000), 'a', 'b') || 'a')",
    "str_split(a, substr(a, 1, 4000000) || 'b', 1)",
    "__intrinsic_strip_hex(a, 3)",
    "unhex(a || '!', replace(a, 'a', 'x') || '!')",
    "unhex(replace(a, 'a', 'x'), replace(a, 'a', 'y') || 'x')",
    "regexp_extract(a, '^(?:a|aa)*(a{1,4})$')",
    "regexp_replace_simple(a, 'a.*b|a', 'c')"};

TEST_F(LongTexts, CallsEndAtADeadline) {
  ASSERT_EQ(rows_of(connection,
                    "CREATE TABLE long AS SELECT replace(hex(zeroblob(4000000)), '0', 'a') AS a"),
            "");
  for (const char* call : kLongCalls) {
    const std::string sql = fmt::format("SELECT length({}) FROM long", call);
    const auto begin = StopCheck::Clock::now();
    TextRows rows;
    const Result<> ran =
        run(connection, sql, rows, {.deadline = begin + std::chrono::milliseconds(20)});
    const auto took = StopCheck::Clock::now() - begin;
    ASSERT_FALSE(ran) << call << ": " << rows.text;
    EXPECT_EQ(ran.error().code, ErrorCode::Timeout) << call << ": " << ran.error().message;
    // Far more than the rest of the statement takes, and far less than the call.
    EXPECT_LT(took, std::chrono::seconds(10)) << call;
  }
  EXPECT_EQ(rows_of(connection,
                    "SELECT regexp_extract(a, 'a.*') = a AS whole, length(a) AS n "
                    "FROM long"),
            "whole, n\n1, 8000000\n--\n");
}

// Calls that read `a`, or write a text of its length, once.
constexpr const char* kLinearCalls[] = {
    "quote(a)",
    "quote(CAST(a AS BLOB))",
    "hex(a)",
    "upper(a)",
    "trim(a, 'b')",
    "replace(a, 'b', 'c')",
    "concat(a, 1)",
    "concat_ws(a, 1, 2)",
    "reverse(a)",
    "hash(a)",
    "str_split(a, 'b', 0)",
    "base64_encode(CAST(a AS BLOB))",
    "null_if_empty(CAST(a AS BLOB))",
    "(SELECT group_concat(b, 'b') FROM (SELECT a AS b UNION ALL SELECT a))"};

TEST_F(LongTexts, CallsCheckForAStop) {
  constexpr uint64_t kLetters = 8'000'000, kMostUnchecked = 1 << 16;
  ASSERT_EQ(rows_of(connection,
                    "CREATE TABLE long AS SELECT replace(hex(zeroblob(4000000)), '0', 'a') AS a"),
            "");
  const auto stop = std::make_shared<Stop>();
  for (const char* call : kLinearCalls) {
    const std::string sql = fmt::format("SELECT typeof({}) FROM long", call);
    TextRows rows;
    stop->request_at(~uint64_t{0});
    ASSERT_TRUE(run(connection, sql, rows, {.stop = stop})) << call;
    const uint64_t calls = stop->calls();
    EXPECT_GE(calls, kLetters / kMostUnchecked) << call;
    stop->request_at(calls / 2);
    const Result<> ran = run(connection, sql, rows, {.stop = stop});
    ASSERT_FALSE(ran) << call;
    EXPECT_EQ(ran.error().code, ErrorCode::Cancelled) << call << ": " << ran.error().message;
    constexpr uint64_t kMostCallsAfter = 16;
    EXPECT_LE(stop->calls(), calls / 2 + kMostCallsAfter) << call;
  }
}

TEST_F(LongTexts, GiveTheResultsOfShortOnes) {
  ASSERT_EQ(rows_of(connection,
                    "CREATE TABLE long AS SELECT replace(hex(zeroblob(1000000)), '00', "
                    "'ab') || 'cd' AS t"),
            "");
  EXPECT_EQ(rows_of(connection,
                    "SELECT t REGEXP 'b+c' AS a, t REGEXP 'bb' AS b, regexp('BC', t, 'i') AS c, "
                    "regexp_extract(t, 'a(bc.)') AS d, regexp_extract(t, 'x') AS e, "
                    "length(regexp_replace_simple(t, '(a)b', '\\1')) AS f, "
                    "length(regexp_replace_simple(t, 'x*', '-')) AS g, "
                    "regexp_replace_simple(t, '^(ab)*(.*)', '\\2') AS h FROM long"),
            "a, b, c, d, e, f, g, h\n1, 0, 1, 'bcd', NULL, 1000002, 4000005, 'cd'\n--\n");
  EXPECT_EQ(rows_of(connection, "SELECT t REGEXP '(' AS a FROM long").substr(0, 6), "error:");
}

// Replaces as RE2 does, also empty matches between characters of several bytes and other bytes.
TEST_F(LongTexts, RegularExpressionsReplaceAsBefore) {
  const auto replaced = [&](const std::string& text, const char* pattern, const char* by) {
    return ours(connection,
                fmt::format("regexp_replace_simple({}, '{}', '{}')", text, pattern, by));
  };
  EXPECT_EQ(replaced("'abc'", "", "-"), "-a-b-c-");
  EXPECT_EQ(replaced("'äb€'", "", "-"), "-ä-b-€-");
  EXPECT_EQ(replaced("'aaäa'", "a*", "x"), "xäx");
  EXPECT_EQ(replaced("'baac'", "a*", "x"), "xbxcx");
  EXPECT_EQ(replaced("''", "a*", "x"), "x");
  EXPECT_EQ(replaced("'a1b22'", "([0-9]+)", "<\\1>"), "a<1>b<22>");
  EXPECT_EQ(replaced("'a1b22'", "[0-9]", "\\1"), "a1b22");
  EXPECT_EQ(replaced("'aXbX'", "^a|X$", ""), "Xb");
}

TEST(CallsApart, EndOrAreAbandoned) {
  CallApart apart;
  int calls = 0;
  EXPECT_TRUE(apart.run({}, [&](const std::atomic<bool>&) { ++calls; }));
  EXPECT_EQ(calls, 1);
  EXPECT_THROW(apart.run({}, [](const std::atomic<bool>&) { throw std::runtime_error("x"); }),
               std::runtime_error);

  // One that goes on until it is abandoned; the next call waits for it.
  const auto stop = std::make_shared<Stop>();
  const StopCheck check(stop, std::nullopt);
  const auto ended = std::make_shared<std::atomic<bool>>(false);
  EXPECT_FALSE(apart.run(check, [stop, ended](const std::atomic<bool>& is_abandoned) {
    stop->request();
    while (!is_abandoned) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    *ended = true;
  }));
  EXPECT_TRUE(apart.run({}, [&](const std::atomic<bool>&) { EXPECT_TRUE(*ended); }));
}

}  // namespace
}  // namespace tracebraid
