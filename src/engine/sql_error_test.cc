#include "engine/sql_error.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(SqlError, ShowsLineColumnTextAndMessage) {
  EXPECT_EQ(plain_sql_error("Traceback (most recent call last):\n"
                            "  File \"stdin\" line 2 col 8\n"
                            "    SELECT nope FROM slice\n"
                            "           ^\n"
                            "no such column: nope"),
            "line 2, column 8:\n"
            "  SELECT nope FROM slice\n"
            "         ^\n"
            "no such column: nope");
}

TEST(SqlError, PutsTheCaretUnderTheCharacter) {
  EXPECT_EQ(plain_sql_error("Traceback (most recent call last):\n"
                            "  File \"stdin\" line 1 col 21\n"
                            "    SELECT '漢字é\t', nope\n"
                            "                        ^\n"
                            "no such column: nope"),
            "line 1, column 21:\n"
            "  SELECT '漢字é\t', nope\n"
            "               \t   ^\n"
            "no such column: nope");
}

TEST(SqlError, KeepsTheFramesOfMacrosAndModules) {
  EXPECT_EQ(plain_sql_error("Fully expanded statement\n"
                            "  SELECT nope_col + 1 FROM slice\n"
                            "         ^\n"
                            "Traceback (most recent call last):\n"
                            "  File \"stdin\" line 2 col 8\n"
                            "    SELECT m!(1) FROM slice\n"
                            "           ^\n"
                            "  Module include \"slices.x\" line 1 col 49\n"
                            "    nope_col + $x\n"
                            "    ^\n"
                            "  Trace Processor Internal line 3 col 1\n"
                            "    x\n"
                            "    ^\n"
                            "no such column: nope_col\nsecond line"),
            "line 2, column 8:\n"
            "  SELECT m!(1) FROM slice\n"
            "         ^\n"
            "Module include \"slices.x\" line 1, column 49:\n"
            "  nope_col + $x\n"
            "  ^\n"
            "in SQL of tracebraid, line 3, column 1:\n"
            "  x\n"
            "  ^\n"
            "no such column: nope_col\nsecond line");
}

TEST(SqlError, LeavesOtherMessages) {
  for (const char* message : {"", "interrupted", "No valid SQL to run",
                              "Fully expanded statement\nx", "Traceback (most recent call last)"})
    EXPECT_EQ(plain_sql_error(message), message);
}

TEST(SqlError, StandsTruncatedLayouts) {
  const std::string whole =
      "Fully expanded statement\n  SELECT\nTraceback (most recent call last):\n"
      "  File \"stdin\" line 2 col 8\n    SELECT nope\n           ^\nno";
  for (size_t size = 0; size < whole.size(); ++size) plain_sql_error(whole.substr(0, size));
}

}  // namespace
}  // namespace tracebraid
