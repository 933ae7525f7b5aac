#include "fleet/task.h"

#include <gtest/gtest.h>

namespace tracebraid::fleet {
namespace {

Ask an_ask() {
  return {
      .statement = {.sql = "SELECT 'a\"\\\n' AS t, utid FROM thread",
                    .fields = {{"t", DataType::Utf8, ""}, {"utid", DataType::Int64, "row:thread"}},
                    .machine_column = 1},
      .full = true,
      .check = "strict",
      .timeout = 1.5,
      .memory_limit = uint64_t{3} << 30,
      .max_rows = 9,
      .options = {{"clock-model", "step"}, {"align", "x=y"}}};
}

TEST(Tasks, ALineHasAllOfATask) {
  const Group group{.name = "g",
                    .paths = {"a b.pb", "no utf-8: \xff"},
                    .sizes = {7, -1},
                    .root = "",
                    .manifest = "m.json"};
  const Ask ask = an_ask();
  const std::string line = task_line(ask, group);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const Result<Task> task = parse_task(line);
  ASSERT_TRUE(task);
  EXPECT_EQ(task->paths, group.paths);
  EXPECT_EQ(task->sizes, group.sizes);
  EXPECT_EQ(task->manifest, "m.json");
  EXPECT_EQ(task->ask.statement.sql, ask.statement.sql);
  EXPECT_EQ(task->ask.statement.fields, ask.statement.fields);
  EXPECT_EQ(task->ask.statement.machine_column, 1U);
  EXPECT_TRUE(task->ask.full);
  EXPECT_EQ(task->ask.check, "strict");
  EXPECT_EQ(task->ask.timeout, 1.5);
  EXPECT_EQ(task->ask.memory_limit, uint64_t{3} << 30);
  EXPECT_EQ(task->ask.max_rows, 9U);
  EXPECT_EQ(task->ask.options, ask.options);
  EXPECT_FALSE(task->ask.tables);
}

TEST(Tasks, TablesStandInPlaceOfAStatement) {
  const Result<Task> task = parse_task(
      R"({"paths":["a"],"manifest":null,"tables":[{"name":"slice","sql":"SELECT 1 AS x",)"
      R"("fields":[["x","l",""]],"machine_column":null}]})");
  ASSERT_TRUE(task);
  ASSERT_TRUE(task->ask.tables);
  ASSERT_EQ(task->ask.tables->size(), 1U);
  EXPECT_EQ(task->ask.tables->front().name, "slice");
  EXPECT_EQ(task->ask.tables->front().statement.fields[0].type, DataType::Int64);
  EXPECT_EQ(task->sizes, std::vector<int64_t>{-1});
  EXPECT_TRUE(parse_task(R"({"paths":["a"],"tables":[]})")->ask.tables->empty());
}

TEST(Tasks, OtherLinesAreErrors) {
  const std::string line = task_line(an_ask(), {.name = "g", .paths = {"a"}, .sizes = {1}});
  for (size_t size = 0; size < line.size(); ++size) {
    const Result<Task> task = parse_task(std::string_view(line).substr(0, size));
    ASSERT_FALSE(task) << size;
    EXPECT_EQ(task.error().code, ErrorCode::Usage);
  }
  for (const char* wrong :
       {"[]", "{}", R"({"paths":[],"statement":{"sql":"SELECT 1"}})",
        R"({"paths":["a"],"statement":{"sql":1}})",
        R"({"paths":["a"],"statement":{"sql":"x","fields":[["x","?",""]]}})",
        R"({"paths":["a"],"statement":{"sql":"x","fields":[["x","l"]]}})",
        R"({"paths":["a"],"statement":{"sql":"x","fields":[],"machine_column":0}})",
        R"({"paths":["a"],"statement":{"sql":"x"},"options":[["key"]]})",
        R"({"paths":["a"],"tables":[{"sql":"SELECT 1"}]})"})
    EXPECT_FALSE(parse_task(wrong)) << wrong;
}

}  // namespace
}  // namespace tracebraid::fleet
