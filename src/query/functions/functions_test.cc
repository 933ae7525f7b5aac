#include <gtest/gtest.h>

#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

class Functions : public testing::Test {
 protected:
  // Returns the row of an expression list; errors without their position.
  std::string row(const std::string& expressions) { return result("SELECT " + expressions); }
  std::string result(const std::string& sql) {
    const std::string text = rows_of(connection, sql);
    if (const size_t error = text.find("error: "); error != std::string::npos)
      return "error: " + text.substr(text.rfind('\n') + 1);
    return text.substr(text.find('\n') + 1, text.rfind("\n--") - text.find('\n') - 1);
  }

  StringPool strings;
  Connection connection = std::move(*connect_to({}, strings, {}, ""));
};

TEST_F(Functions, Hash) {
  EXPECT_EQ(row("hash(), hash('a'), hash(1)"),
            "-3750763034362895579, -5808556873153909620, -8517097267634966620");
  EXPECT_EQ(row("hash('ab') = hash('a', 'b'), hash(-1, '') = hash(-1)"), "1, 1");
  EXPECT_EQ(row("hash(1, 2.5)"), "error: HASH: arg 1 has unknown type");
  EXPECT_EQ(row("hash(NULL)"), "error: HASH: arg 0 has unknown type");
}

TEST_F(Functions, Compression) {
  const std::string zstd = "__intrinsic_zstd_", gzip = "__intrinsic_gzip_";
  for (const std::string& codec : {zstd, gzip}) {
    const auto both = [&](const std::string& bytes) {
      return row(codec + "decompress(" + codec + "compress(" + bytes + ")) IS CAST(" + bytes +
                 " AS BLOB)");
    };
    EXPECT_EQ(both("'abc'"), "1");
    EXPECT_EQ(both("x''"), "1");
    EXPECT_EQ(both("zeroblob(200000)"), "1");
    EXPECT_EQ(row("length(" + codec + "compress(zeroblob(200000))) < 1000"), "1");
    EXPECT_EQ(row(codec + "compress(NULL), " + codec + "decompress(NULL)"), "NULL, NULL");
    EXPECT_EQ(row(codec + "compress(1)"),
              "error: " + codec + "compress: argument must be string or blob");
    const std::string malformed = "error: " + codec + "decompress: the bytes are malformed or cut";
    EXPECT_EQ(row(codec + "decompress('abcdefgh')"), malformed);
    EXPECT_EQ(row(codec + "decompress(x'')"), malformed);
    EXPECT_EQ(row(codec + "decompress(substr(" + codec + "compress('abcdef'), 1, 12))"), malformed);
    EXPECT_EQ(row(codec + "decompress(" + codec + "compress(zeroblob(68000000)))"),
              "error: " + codec + "decompress: the result is longer than 67108864 bytes");
  }
  // Two members of gzip follow each other.
  EXPECT_EQ(row("CAST(__intrinsic_gzip_decompress(CAST(__intrinsic_gzip_compress('ab') || "
                "__intrinsic_gzip_compress('c') AS BLOB)) AS TEXT)"),
            "'abc'");
}

TEST_F(Functions, Glob) {
  EXPECT_EQ(row("'ABC' GLOB 'abc', 'abc' GLOB 'a?c', 'abc' GLOB '[^x]bc', 'b' GLOB '[a-c]'"),
            "0, 1, 1, 1");
  EXPECT_EQ(row("'é' GLOB '?', 'é' GLOB '?"
                "?', ']' GLOB '[]a]', '-' GLOB '[a-]', 'x' GLOB '[x'"),
            "0, 1, 1, 1, 0");
  EXPECT_EQ(row("NULL GLOB 'a', 'a' GLOB NULL, 5 GLOB '5', 1.0 GLOB '1.0'"), "NULL, NULL, 1, 1");
  EXPECT_EQ(row("'aXbXc' GLOB 'a*X*c', 'ab' GLOB 'a*b*c', '' GLOB '**', 'a*' GLOB 'a[*]'"),
            "1, 0, 1, 1");
  // Many stars on a text that does not match: at most quadratic, not exponential.
  EXPECT_EQ(row("printf('%.20000c', 'a') GLOB '*a*a*a*a*a*a*a*a*a*a*a*a*b'"), "0");
}

TEST_F(Functions, Base64) {
  EXPECT_EQ(row("base64_encode(x'000102ff'), base64_encode(x''), base64_encode(x'66'),"
                "base64_encode(x'666f'), base64_encode(NULL)"),
            "'AAEC/w==', '', 'Zg==', 'Zm8=', NULL");
  EXPECT_EQ(row("hex(base64_decode('AAEC/w==')), hex(base64_decode('Zm8')),"
                "__intrinsic_base64_decode(NULL)"),
            "'000102FF', '666F', NULL");
  EXPECT_EQ(row("base64_decode('A')"), "error: BASE64: Invalid input");
  EXPECT_EQ(row("base64_decode('Zg=')"), "error: BASE64: Invalid input");
  EXPECT_EQ(row("base64_decode('Z!==')"), "error: BASE64: Invalid input");
  EXPECT_EQ(row("base64_decode(1)"), "error: BASE64: argument must be string or blob");
  EXPECT_EQ(row("base64_encode('x')"), "error: Base64Encode only supports bytes argument");
}

TEST_F(Functions, Texts) {
  EXPECT_EQ(row("reverse('abc'), __intrinsic_reverse(''), reverse(NULL)"), "'cba', '', NULL");
  EXPECT_EQ(row("reverse(1)"), "error: REVERSE: argument should be string");
  EXPECT_EQ(row("demangle('_ZN3foo3barEv'), demangle('foo'), "
                "demangle('_ZN4core3fmt5write17h0123456789abcdefE')"),
            "'foo::bar()', NULL, 'core::fmt::write'");
  EXPECT_EQ(row("str_split('a,b,c', ',', 1), str_split('a,b', ',', 5), str_split('abc', 'bc', 1),"
                "str_split(NULL, ',', 0), str_split(5, ',', 0)"),
            "'b', NULL, '', NULL, NULL");
  EXPECT_EQ(row("str_split('a', '', 0)"), "error: str_split: delimiter must be a non-empty string");
  EXPECT_EQ(row("str_split('a', ',', -1)"),
            "error: str_split: field number must be a non-negative integer");
  EXPECT_EQ(row("__intrinsic_strip_hex('Foo 0x12ab bar12 cc99 xyz', 2), "
                "__intrinsic_strip_hex('1', 2), __intrinsic_strip_hex('deadbeef face1', 3)"),
            "'Foo 0x<num> bar<num> <num> xyz', '1', 'deadbeef <num>'");
  EXPECT_EQ(row("__intrinsic_strip_hex('1', 0)"),
            "error: __intrinsic_strip_hex: min_repeated_digits must be positive");
  EXPECT_EQ(row("concat('a', NULL, 1, 2.5), concat_ws('-', 'a', NULL, 'b'), concat_ws(NULL, 'a')"),
            "'a12.5', 'a-b', NULL");
  EXPECT_EQ(row("if(0, 'a', 1, 'b'), if(NULL, 1), if('0x', 1, '2'), octet_length('é')"),
            "'b', NULL, '2', 2");
  EXPECT_EQ(row("null_if_empty(x''), hex(null_if_empty(x'01'))"), "NULL, '01'");
}

TEST_F(Functions, Unhex) {
  EXPECT_EQ(
      row("unhex('ff'), unhex(' 0x10 '), unhex('-5'), unhex('7fffffffffffffff'), unhex(NULL)"),
      "255, 16, -5, 9223372036854775807, NULL");
  EXPECT_EQ(row("unhex('  ')"), "error: UNHEX: input is empty or only whitespace");
  EXPECT_EQ(row("unhex('0x')"), "error: UNHEX: hex string is empty after prefix");
  for (const char* bad : {"8000000000000000", "xyz", "--5", "-0x-5"})
    EXPECT_EQ(row("unhex('" + std::string(bad) + "')"),
              "error: UNHEX: invalid or out of range hex string");
  EXPECT_EQ(row("hex(unhex('61-62', '-')), unhex('6', ''), unhex('6-1', '-')"),
            "'6162', NULL, NULL");
}

TEST_F(Functions, RegularExpressions) {
  EXPECT_EQ(row("regexp('^a.c$', 'abc'), regexp('B', 'abc'), regexp('B', 'abc', 'i'), "
                "regexp('B', 'abc', 'ic'), regexp(NULL, 'a'), 'abc' REGEXP 'b'"),
            "1, 0, 1, 0, NULL, 1");
  EXPECT_EQ(row("regexp('(', 'a')"), "error: RE2 compile error: missing ): (");
  EXPECT_EQ(row("regexp('a', 'b', 'q')"), "error: regexp: unknown flag 'q'");
  EXPECT_EQ(row("regexp_extract('foo123bar', '[0-9]+'), regexp_extract('foo123bar', 'foo([0-9]+)'),"
                "regexp_extract('x', 'y'), regexp_extract('ab', 'a(z?)b')"),
            "'123', '123', NULL, 'ab'");
  EXPECT_EQ(row("regexp_extract('a', '(a)(b)')"),
            "error: REGEXP_EXTRACT: pattern has more than one group.");
  EXPECT_EQ(row("regexp_replace_simple('a1b22', '[0-9]+', '#'), "
                "regexp_replace_simple('ab', '(a)(b)', '\\2\\1$1')"),
            "'a#b#', 'ba$1'");
}

TEST_F(Functions, Timecode) {
  EXPECT_EQ(row("to_timecode(3723004005006), __intrinsic_to_timecode(0), to_timecode(NULL), "
                "to_timecode(360000000000000)"),
            "'01:02:03 004 005 006', '00:00:00 000 000 000', NULL, '100:00:00 000 000 000'");
  EXPECT_EQ(row("to_timecode('1')"), "error: TO_TIMECODE: first argument should be timestamp");
}

TEST_F(Functions, LastNonNull) {
  const std::string rows = "WITH t(o, x) AS (VALUES (1, 'a'), (2, NULL), (3, 'b'), (4, NULL)) ";
  EXPECT_EQ(result(rows + "SELECT o, last_non_null(x) OVER (ORDER BY o), last_non_null(x) OVER "
                          "(ORDER BY o ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) FROM t"),
            "1, 'a', 'a'\n2, 'a', 'b'\n3, 'b', 'b'\n4, 'b', NULL");
  EXPECT_EQ(result(rows + "SELECT last_non_null(x), (SELECT last_non_null(1) WHERE 0) FROM t"),
            "'b', NULL");
}

TEST_F(Functions, ValueAtMaxTs) {
  const std::string rows = "WITH t(ts, v) AS (VALUES (5, 1), (9, 2), (7, 3), (9, 4)) ";
  EXPECT_EQ(result(rows + "SELECT value_at_max_ts(ts, v), value_at_max_ts(ts, v * 0.5) FROM t"),
            "4, 2r");
  EXPECT_EQ(result(rows + "SELECT value_at_max_ts(ts, v) FROM t WHERE 0"), "NULL");
  EXPECT_EQ(row("value_at_max_ts('x', 1)"), "error: VALUE_AT_MAX_TS: ts passed was not an integer");
  EXPECT_EQ(row("value_at_max_ts(1, 'x')"),
            "error: VALUE_AT_MAX_TS: value passed was not an integer or float");
}

TEST_F(Functions, Percentiles) {
  EXPECT_EQ(
      result("SELECT percentile(column1, 50), median(column1), percentile_disc(column1, 0.9), "
             "percentile_cont(column1, 0.25) FROM (VALUES (4), (1), (2), (NULL))"),
      "2r, 2r, 2r, 1.5r");
  EXPECT_EQ(row("median(NULL)"), "NULL");
  EXPECT_EQ(row("percentile(1, 101)"),
            "error: the fraction argument to percentile() is not between 0.0 and 100.0");
  EXPECT_EQ(row("median('x')"), "error: input to median() is not numeric");
  EXPECT_EQ(result("SELECT string_agg(column1, '+') FROM (VALUES ('a'), (NULL), (2))"), "'a+2'");
}

}  // namespace
}  // namespace tracebraid
