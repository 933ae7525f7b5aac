#include "fleet/statement.h"

#include <gtest/gtest.h>

#include "query/batch/cell_at.h"
#include "query/batch/column_builder.h"

namespace tracebraid::fleet {
namespace {

// Returns "name:letter" of each column, or the error.
std::string columns_of(const Result<StatementTask>& statement) {
  if (!statement) return "error: " + statement.error().message;
  std::string text;
  for (const Field& field : statement->fields)
    text += (text.empty() ? "" : " ") + field.name + ":" + letter_of(field.type);
  return text;
}

std::string columns_of(const char* sql, std::vector<Field> types = {}) {
  return columns_of(compile({.sql = sql, .where = {}, .types = std::move(types)}, {}));
}

TEST(FleetStatements, TypesFollowFromTheStatement) {
  EXPECT_EQ(columns_of("SELECT ts, name, count(*) AS n, 0.5 AS x, x'00' AS b, dur > 1 AS w "
                       "FROM slice GROUP BY name"),
            "ts:l name:u n:l x:g b:z w:l");
  EXPECT_EQ(columns_of("CREATE PERFETTO TABLE t AS SELECT id FROM slice; SELECT id FROM t;"),
            "id:l");
}

TEST(FleetStatements, ATypeThatDoesNotFollowIsToldWithWhatToDo) {
  const char* sql = "SELECT iif(id > 1, id, name) AS x FROM slice";
  const std::string error = columns_of(sql);
  EXPECT_NE(error.find("CAST(x AS INTEGER)"), std::string::npos) << error;
  EXPECT_EQ(columns_of(sql, {{"x", DataType::Int64}}), "x:l");
}

TEST(FleetStatements, MistakesAreErrors) {
  EXPECT_EQ(compile({.sql = "SELECT nope FROM slice", .where = {}, .types = {}}, {}).error().code,
            ErrorCode::Sql);
  EXPECT_EQ(
      compile({.sql = "CREATE PERFETTO TABLE t AS SELECT 1 AS x", .where = {}, .types = {}}, {})
          .error()
          .code,
      ErrorCode::Usage);
  EXPECT_EQ(
      compile({.sql = "SELECT id FROM slice", .where = "nope > 1", .types = {}}, {}).error().code,
      ErrorCode::Sql);
}

TEST(FleetStatements, TheMachineFollowsFromTheFirstKey) {
  const auto machine_column = [](const char* sql) {
    return compile({.sql = sql, .where = {}, .types = {}}, {})->machine_column;
  };
  EXPECT_EQ(machine_column("SELECT name, utid, upid FROM thread"), 1U);
  EXPECT_EQ(machine_column("SELECT track_id FROM slice"), 0U);
  EXPECT_EQ(machine_column("SELECT name FROM slice"), std::nullopt);
}

TEST(FleetStatements, ColumnsOfTheGroupStandInFront) {
  const std::vector<Group> groups = {
      {.name = "g", .paths = {"/x/a b.pb"}, .sizes = {1}, .root = "/x", .carried = {{"run", "1"}}},
      {.name = "h", .paths = {"/x/c.pb"}, .sizes = {1}, .root = "/x"}};
  const StatementTask statement{
      .sql = {}, .fields = {{"utid", DataType::Int64}}, .machine_column = 0};
  const FrontColumns front(true, groups);
  const auto all = std::make_shared<const Schema>(Schema{front.fields(statement)});
  std::string names;
  for (const Field& field : all->fields) names += field.name + " ";
  EXPECT_EQ(names,
            "_group _trace _trace_uri _trace_size _trace_digest _placed_by _uncertainty_ns "
            "_lost _run _machine utid ");
  const auto row_of = [&](const Group& group, std::string_view facts) {
    RecordBatch batch{.schema = std::make_shared<Schema>(), .rows = 1};
    for (const DataType type : {DataType::Utf8, DataType::Int64}) {
      ColumnBuilder builder(type);
      builder.add(Cell::null());
      batch.columns.push_back(builder.finish());
    }
    const RecordBatch made = front.with_front(group, facts, std::move(batch), all);
    std::string row;
    for (const ArrayData& column : made.columns) {
      const Cell cell = cell_at(column, 0);
      row += cell.kind == Cell::Kind::Int    ? std::to_string(cell.integer)
             : cell.kind == Cell::Kind::Text ? std::string(cell.text)
                                             : "NULL";
      row += "|";
    }
    return row;
  };
  EXPECT_EQ(row_of(groups[0], R"({"_trace_size":7,"_trace_digest":"00ff","_placed_by":null,)"
                              R"("_uncertainty_ns":null,"_lost":2})"),
            "g|a b.pb|file:///x/a%20b.pb|7|00ff|NULL|NULL|2|1|NULL|NULL|");
  EXPECT_EQ(row_of(groups[1], "{}"),
            "h|c.pb|file:///x/c.pb|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|");
}

}  // namespace
}  // namespace tracebraid::fleet
