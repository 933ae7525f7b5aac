#include "query/compile/tokens.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "query/compile/dialect.h"

namespace tracebraid {
namespace {

// Returns all tokens except blanks, separated by
// .
std::string cut(std::string_view sql) {
  std::string text;
  for (Token token = first_token(sql); token.kind != TokenKind::End; token = first_token(sql)) {
    if (token.kind != TokenKind::Space) text += (text.empty() ? "" : "|") + std::string(token.text);
    sql.remove_prefix(token.text.size());
  }
  return text;
}

TEST(Tokens, AreCutAsSqliteDoes) {
  EXPECT_EQ(cut("SELECT a.b, 'it''s' FROM t -- end\n WHERE x>=1"),
            "SELECT|a|.|b|,|'it''s'|FROM|t|WHERE|x|>=|1");
  EXPECT_EQ(cut("/* ; */ \"a;b\";[c]d]`e``f` x'00ff' xyz"), "\"a;b\"|;|[c]|d|]|`e``f`|x'00ff'|xyz");
  EXPECT_EQ(cut("1.5e-3 .5 0xFF 1e 2e+ 7abc"), "1.5e-3|.5|0xFF|1e|2e|+|7abc");
  EXPECT_EQ(cut("a->>b->c||d<>e!=f==g<<h"), "a|->>|b|->|c||||d|<>|e|!=|f|==|g|<<|h");
  EXPECT_EQ(cut("$x :y @z ?1 ünï m!(a)"), "$x|:y|@z|?1|ünï|m|!|(|a|)");
}

TEST(Tokens, MayBeUnfinished) {
  EXPECT_EQ(cut("'open"), "'open");
  EXPECT_EQ(cut("a /* open"), "a");
  EXPECT_EQ(cut("[open"), "[open");
  EXPECT_EQ(cut("'a''"), "'a''");
  EXPECT_EQ(cut(""), "");
}

TEST(Dialect, KnowsItsStatements) {
  EXPECT_EQ(kind_of_statement("INCLUDE PERFETTO MODULE a.b"), Statement::IncludeModule);
  EXPECT_EQ(kind_of_statement("/* x */ create Or Replace\nPerfetto table t AS SELECT 1"),
            Statement::CreateTable);
  EXPECT_EQ(kind_of_statement("CREATE PERFETTO MACRO m"), Statement::CreateMacro);
  EXPECT_EQ(kind_of_statement("DROP PERFETTO INDEX i ON t"), Statement::DropIndex);
  for (const char* sql :
       {"CREATE TABLE perfetto(x)", "SELECT perfetto FROM include", "DROP PERFETTO",
        "CREATE 'PERFETTO' TABLE t", "INCLUDE MODULE x", "perfetto", ""})
    EXPECT_EQ(kind_of_statement(sql), Statement::Sqlite) << sql;
}

}  // namespace
}  // namespace tracebraid
