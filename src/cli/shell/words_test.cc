#include "cli/shell/words.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

using Words = std::vector<std::string>;

const Vocabulary& vocabulary() {
  static const Vocabulary kVocabulary = {
      .relations = {{"slice", "", {"id", "ts", "dur", "name"}},
                    {"slices", "", {"id"}},
                    {"thread", "", {"utid", "name", "tid"}}},
      .functions = {"sum", "thread_slices"},
      .dot_commands = {{".mode", {"csv", "json", "jsonl"}}, {".tables", {}}, {".timer", {}}}};
  return kVocabulary;
}

Words of(std::string_view before, std::string_view after = {}) {
  return completions(before, after, vocabulary());
}

TEST(Words, CompletesKeywordsInTheCaseThatWasBegun) {
  EXPECT_EQ(of("sel"), Words{"select"});
  EXPECT_EQ(of("SEL"), Words{"SELECT"});
}

TEST(Words, CompletesTablesAndColumns) {
  EXPECT_EQ(of("select * from sl"), (Words{"slice", "slices"}));
  EXPECT_EQ(of("select nam"), Words{"name"});
  EXPECT_EQ(of("select (ut"), Words{"utid"});
}

TEST(Words, CompletesColumnsBehindADot) {
  EXPECT_EQ(of("select thread.t"), Words{"thread.tid"});
  EXPECT_EQ(of("select s.t"), (Words{"s.tid", "s.ts"}));  // an alias
}

TEST(Words, CompletesColumnsOfAliases) {
  EXPECT_EQ(of("select * from slice s where s.t"), Words{"s.ts"});
  EXPECT_EQ(of("select * from thread AS t join slice \"s\" on s.", "utid = 1"),
            (Words{"s.dur", "s.id", "s.name", "s.ts"}));
  EXPECT_EQ(of("select s.", " from SLICE s, thread t where t.utid = 1"),  // behind the cursor
            (Words{"s.dur", "s.id", "s.name", "s.ts"}));
  EXPECT_EQ(of("select t.t", " from slice s, thread t"), Words{"t.tid"});
  EXPECT_EQ(of("select * from slice\nwhere slice.t", ";"), Words{"slice.ts"});
  EXPECT_EQ(of("with c as (select * from slice x where x.t"), Words{"x.ts"});
  // Of another statement, or inside of a text.
  EXPECT_EQ(of("select 1 from thread s; select s.t", " from slice s; select 1 from thread s"),
            Words{"s.ts"});
  EXPECT_EQ(of("select ' from thread s ', s.t", " from slice s -- from thread s"), Words{"s.ts"});
}

TEST(Words, CompletesColumnsOfTheStatementOnly) {
  EXPECT_EQ(of("select t", " from slice"),
            (Words{"table", "then", "thread", "thread_slices(", "ts"}));
  EXPECT_EQ(of("select u", " from slice"), (Words{"union", "using"}));
  EXPECT_EQ(of("select u", " from thread x"), (Words{"union", "using", "utid"}));
}

TEST(Words, CompletesFunctionsWithTheirParenthesis) {
  EXPECT_EQ(of("select su"), Words{"sum("});
  EXPECT_EQ(of("select * from thread_s"), Words{"thread_slices("});
}

TEST(Words, CompletesArgumentsOfDotCommands) {
  EXPECT_EQ(of(".mode j"), (Words{"json", "jsonl"}));
  EXPECT_EQ(of(".mode "), (Words{"csv", "json", "jsonl"}));
  EXPECT_EQ(of(".tables j"), Words{});
}

TEST(Words, StandsAnyText) {
  const std::string text = "select x.a, 'b from \"c\" [d.e from f as, join , . ; from; join \"";
  for (size_t begin = 0; begin < text.size(); ++begin)
    for (size_t cursor = begin; cursor <= text.size(); ++cursor)
      of(std::string_view(text).substr(begin, cursor - begin),
         std::string_view(text).substr(cursor));
}

TEST(Words, CompletesDotCommandsAtTheStartOnly) {
  EXPECT_EQ(of(".t"), (Words{".tables", ".timer"}));
  EXPECT_EQ(of("select .t"), Words{});
}

TEST(Words, NothingForNothing) {
  EXPECT_EQ(of(""), Words{});
  EXPECT_EQ(of("select "), Words{});
  EXPECT_EQ(of("select zzz"), Words{});
}

TEST(Words, CommonBeginning) {
  EXPECT_EQ(common_beginning(Words{"slice", "slices"}), "slice");
  EXPECT_EQ(common_beginning(Words{"NAME", "name"}), "NAME");
  EXPECT_EQ(common_beginning(Words{"a", "b"}), "");
  EXPECT_EQ(common_beginning(Words{}), "");
}

TEST(Words, WordAtEnd) {
  EXPECT_EQ(word_at_end("select a.b"), "a.b");
  EXPECT_EQ(word_at_end("count(du"), "du");
  EXPECT_EQ(word_at_end("x "), "");
  EXPECT_EQ(word_at_end(".read a/b-c.s"), "a/b-c.s");
}

}  // namespace
}  // namespace tracebraid
