#include "cli/parse.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

struct Fixture : testing::Test {
  bool strict = false;
  std::string format = "table";
  unsigned threads = 0;
  uint64_t bytes = 0;
  Command command{.name = "query",
                  .usage = "FILE...",
                  .about = "test",
                  .groups = {{"Options",
                              {{"--strict", "", "Strict.", &strict},
                               {"-f,--format", "FORMAT", "Format.", &format, {"table", "jsonl"}},
                               {"--threads", "N", "Threads.", &threads},
                               {"--max-bytes", "SIZE", "Bytes.", &bytes}}}},
                  .run = {}};
  Result<Parsed> parse(std::vector<std::string> arguments) {
    return parse_arguments(command, std::move(arguments));
  }
};

using ParseTest = Fixture;

TEST_F(ParseTest, SetsTargetsAndKeepsArgumentsInOrder) {
  const auto parsed =
      parse({"a.json", "--strict", "b.json", "-f", "jsonl", "--threads=3", "select 1"});
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->arguments, (std::vector<std::string>{"a.json", "b.json", "select 1"}));
  EXPECT_TRUE(strict);
  EXPECT_EQ(format, "jsonl");
  EXPECT_EQ(threads, 3U);
}

TEST_F(ParseTest, PassesArgumentsAsTheyAre) {
  const std::vector<std::string> odd = {"[a,b]", "{}", "-",  "-- comment\nselect 1",
                                        "%%",    "",   "'x'"};
  const auto parsed = parse(odd);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->arguments, odd);
}

TEST_F(ParseTest, TakesEverythingBehindTwoDashes) {
  const auto parsed = parse({"a", "--", "--strict", "-f", "--"});
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->arguments, (std::vector<std::string>{"a", "--strict", "-f", "--"}));
  EXPECT_FALSE(strict);
}

TEST_F(ParseTest, TheLastValueCounts) {
  ASSERT_TRUE(parse({"--threads", "1", "--threads", "2"}));
  EXPECT_EQ(threads, 2U);
}

TEST_F(ParseTest, SuggestsForUnknownOptions) {
  const auto parsed = parse({"a", "--fromat=jsonl"});
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::Usage);
  EXPECT_EQ(parsed.error().message, "'query' has no option --fromat; did you mean --format?");
  EXPECT_EQ(parse({"-z"}).error().message, "'query' has no option -z");
}

TEST_F(ParseTest, SuggestsForUnknownChoices) {
  const auto parsed = parse({"--format", "jsnl"});
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message,
            "--format: 'jsnl' is not one of table, jsonl; did you mean jsonl?");
}

TEST_F(ParseTest, RefusesBadNumbersAndMissingValues) {
  EXPECT_FALSE(parse({"--threads", "two"}));
  EXPECT_FALSE(parse({"--threads", "-1"}));
  EXPECT_FALSE(parse({"--threads", "99999999999"}));
  EXPECT_FALSE(parse({"--threads"}));
  EXPECT_FALSE(parse({"--max-bytes", "10Q"}));
}

TEST_F(ParseTest, HelpWinsOverWhatIsWrong) {
  const auto parsed = parse({"--help", "--nonsense"});
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->help);
  EXPECT_TRUE(parse({"--threads", "two", "-h"})->help);
}

}  // namespace
}  // namespace tracebraid
