#include "cli/query_arguments.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace tracebraid {
namespace {

struct QueryArgumentsTest : testing::Test {
  QueryArgumentsTest() : file(testing::TempDir() + "a trace (1).json") {
    std::ofstream{file} << "[]";
  }
  ~QueryArgumentsTest() override { std::filesystem::remove(file); }
  static Result<QuerySource> split(std::vector<std::string> arguments, const std::string& sql = "",
                                   bool terminal = false) {
    return split_query_arguments(arguments, sql, terminal);
  }
  std::string file;  // looks like SQL, but exists
};

TEST_F(QueryArgumentsTest, TheLastArgumentIsSql) {
  const auto source = split({file, "b.json", "select 1"});
  ASSERT_TRUE(source);
  EXPECT_EQ(source->files, (std::vector<std::string>{file, "b.json"}));
  EXPECT_EQ(source->sql, "select 1");
  EXPECT_EQ(split({file, "select(1)"})->sql, "select(1)");
}

TEST_F(QueryArgumentsTest, AnExistingFileIsNoSql) {
  const auto source = split({file});
  ASSERT_TRUE(source);
  EXPECT_EQ(source->files, std::vector<std::string>{file});
  EXPECT_EQ(source->sql_path, "-");
}

TEST_F(QueryArgumentsTest, WithSqlFileAllAreFiles) {
  const auto source = split({"b.json", "c d.json"}, "q.sql");
  ASSERT_TRUE(source);
  EXPECT_EQ(source->files.size(), 2U);
  EXPECT_EQ(source->sql_path, "q.sql");
}

TEST_F(QueryArgumentsTest, ExplainsWhatIsMissing) {
  EXPECT_EQ(split({}).error().code, ErrorCode::Usage);
  EXPECT_EQ(split({"select 1"}).error().code, ErrorCode::Usage);
  EXPECT_EQ(split({file}, "", true).error().code, ErrorCode::Usage);
  EXPECT_EQ(split({file, "misspelt.json"}).error().message, "misspelt.json: no such file");
  EXPECT_EQ(split({"-"}).error().code, ErrorCode::Usage);       // both from stdin
  EXPECT_EQ(split({"-"}, "-").error().code, ErrorCode::Usage);  // likewise
  EXPECT_EQ(split({"-", "select 1"})->files, std::vector<std::string>{"-"});
}

}  // namespace
}  // namespace tracebraid
