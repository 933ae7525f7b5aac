#include "cli/shell/words.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

using Words = std::vector<std::string>;

const std::vector<RelationInfo> kRelations = {{"slice", "", {"id", "ts", "dur", "name"}},
                                              {"slices", "", {"id"}},
                                              {"thread", "", {"utid", "name", "tid"}}};
constexpr std::string_view kDots[] = {".tables", ".timer"};

Words of(std::string_view line) { return completions(line, kRelations, kDots); }

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
}

}  // namespace
}  // namespace tracebraid
