#include "cli/shell/statement.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(Statement, EndsWithASemicolon) {
  EXPECT_TRUE(is_complete("select 1;"));
  EXPECT_TRUE(is_complete("select 1;  -- done\n"));
  EXPECT_TRUE(is_complete("select 1; /* done */ \n"));
  EXPECT_TRUE(is_complete("select 1; select 2;"));
  EXPECT_FALSE(is_complete("select 1"));
  EXPECT_FALSE(is_complete("select 1; select 2"));
  EXPECT_TRUE(is_complete(""));
}

TEST(Statement, SemicolonsInTextsAndCommentsDoNotCount) {
  EXPECT_FALSE(is_complete("select ';"));
  EXPECT_FALSE(is_complete("select ';'"));
  EXPECT_FALSE(is_complete("select 'it''s;'"));
  EXPECT_TRUE(is_complete("select 'it''s';"));
  EXPECT_FALSE(is_complete("select \"a;"));
  EXPECT_FALSE(is_complete("select [a;"));
  EXPECT_FALSE(is_complete("select 1 -- ;"));
  EXPECT_FALSE(is_complete("select 1 /* ;"));
  EXPECT_FALSE(is_complete("select 1; /* open"));
}

TEST(Statement, KnowsNothing) {
  EXPECT_TRUE(is_blank(""));
  EXPECT_TRUE(is_blank(" \n;; -- words\n/* more */"));
  EXPECT_FALSE(is_blank("select"));
  EXPECT_FALSE(is_blank("/* open"));
}

}  // namespace
}  // namespace tracebraid
