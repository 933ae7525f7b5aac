#include "query/macros/expand.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace tracebraid {
namespace {

struct ExpandTest : testing::Test {
  void add(const std::string& name, std::vector<std::string> parameters, std::string body) {
    const auto source =
        std::make_shared<const SourceText>(SourceText{"File \"m\"", std::move(body)});
    Macro macro{name, std::move(parameters), source,
                0,    source->text.size(),   token_list(source->text)};
    macros.insert_or_assign(name, std::move(macro));
  }
  Result<SqlText> expand(std::string sql) {
    const auto source =
        std::make_shared<const SourceText>(SourceText{"File \"stdin\"", std::move(sql)});
    return expand_macros({source, 0, source->text.size()}, macros, StopCheck());
  }
  std::string text(const std::string& sql) {
    const Result<SqlText> expanded = expand(sql);
    return expanded ? expanded->text : expanded.error().message;
  }
  MacroSet macros;
};

TEST_F(ExpandTest, ReplacesArguments) {
  add("m", {"x", "y"}, "$x + $y * $xy + '$x'");
  EXPECT_EQ(text("SELECT m!(1, f(2, 3)) AS a"), "SELECT 1 + f(2, 3) * $xy + '$x' AS a");
  EXPECT_EQ(text("SELECT m ! ( 'a,b' , \"c\" )"), "SELECT 'a,b' + \"c\" * $xy + '$x'");
}

TEST_F(ExpandTest, ExpandsCallsInBodiesAndArguments) {
  add("twice", {"x"}, "$x $x");
  add("outer", {"x"}, "[a] twice!($x) b");
  EXPECT_EQ(text("outer!(twice!(1))"), "[a] 1 1 1 1 b");
}

TEST_F(ExpandTest, MapsBytesToTheirTexts) {
  add("m", {"x"}, "1 + $x");
  const Result<SqlText> expanded = expand("SELECT m!(bad)");
  ASSERT_TRUE(expanded);
  EXPECT_EQ(expanded->text, "SELECT 1 + bad");
  const SourceMap::Place place = expanded->map.place(12);  // 'a' of bad
  EXPECT_EQ(place.offset, 11u);
  const SourceFrame& argument = expanded->map.frames()[place.frame];
  EXPECT_EQ(argument.call, 4u);  // $x in the body
  EXPECT_EQ(expanded->map.frames()[argument.parent].call, 7u);
}

TEST_F(ExpandTest, RefusesUnknownRecursiveAndWrongCalls) {
  add("m", {"x"}, "m!($x)");
  add("n", {}, "1");
  EXPECT_TRUE(text("SELECT m!(1)").ends_with("recursive macro expansion: 'm'"));
  EXPECT_TRUE(text("SELECT q!(1)").ends_with("unknown macro 'q'"));
  EXPECT_TRUE(text("SELECT n!(1)").ends_with("syntax error near '!'"));
  EXPECT_TRUE(text("SELECT n!(q!())").starts_with("Traceback"));
}

TEST_F(ExpandTest, AppliesAMacroToLists) {
  add("as", {"x", "y"}, "$x AS $y");
  EXPECT_EQ(text("__intrinsic_token_apply!(as, (a, f(b, c)), (d, e))"), "a AS d, f(b, c) AS e");
  EXPECT_EQ(text("__intrinsic_token_apply_and_prefix!(as, (a, b), (c))"), " AND a AS c");
  EXPECT_EQ(text("x __intrinsic_token_apply_prefix!(as, (), ()) y"), "x  y");
  EXPECT_TRUE(text("__intrinsic_token_apply!(as, (,), (a))").ends_with("syntax error near '!'"));
  EXPECT_EQ(text("__intrinsic_stringify!( a  b )"), "'a  b'");
}

TEST_F(ExpandTest, LimitsTheResult) {
  add("m0", {"x"}, "$x");
  for (int i = 1; i < 60; ++i) add(fmt::format("m{}", i), {"x"}, fmt::format("m{}!($x $x)", i - 1));
  EXPECT_TRUE(text("m59!(" + std::string(100, 'a') + ")").ends_with("longer than 16 MiB"));
  add("e0", {}, "");
  for (int i = 1; i < 60; ++i)
    add(fmt::format("e{}", i), {}, fmt::format("e{}!()e{}!()", i - 1, i - 1));
  EXPECT_TRUE(text("e59!()").ends_with("takes more than 1000000 steps"));
  std::string nested = "1";
  for (int i = 0; i < 1000; ++i) nested = "m0!(" + nested + ")";
  EXPECT_NE(text(nested).find("nested deeper than"), std::string::npos);
}

// A thousand calls of macros that are nested a hundred deep.
TEST_F(ExpandTest, TakesLinearTime) {
  add("m0", {"x"}, "$x");
  for (int i = 1; i < 100; ++i) add(fmt::format("m{}", i), {"x"}, fmt::format("m{}!($x)", i - 1));
  std::string sql = "SELECT 0";
  for (int i = 0; i < 1000; ++i) sql += ", m99!(1)";
  const Result<SqlText> expanded = expand(sql);
  ASSERT_TRUE(expanded) << expanded.error().message;
  EXPECT_EQ(expanded->text.size(), 8u + 3u * 1000);
}

}  // namespace
}  // namespace tracebraid
