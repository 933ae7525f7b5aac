#include "tables/registry.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "tables/slice_tables.h"
#include "tables/sql_modules.h"

namespace tracebraid {
namespace {

TEST(Registry, NamesAreDeclaredOnce) {
  std::set<std::string> names;
  for (const RelationDeclaration& relation : all_relations())
    EXPECT_TRUE(names.insert(relation.name).second) << relation.name;
}

TEST(Registry, ReferencesNameTablesThatSqlHas) {
  constexpr std::string_view kBegin = "JOINID(", kEnd = ".id)";
  for (const RelationDeclaration& relation : all_relations())
    for (const ColumnDeclaration& column : relation.columns) {
      if (!column.type.starts_with(kBegin)) continue;
      ASSERT_TRUE(column.type.ends_with(kEnd)) << column.type;
      const std::string name =
          column.type.substr(kBegin.size(), column.type.size() - kBegin.size() - kEnd.size());
      EXPECT_NE(find_relation(name), nullptr)
          << relation.name << '.' << column.name << ": " << column.type;
    }
}

TEST(Registry, DeclarationsSayWhereTheyAre) {
  const auto file_of = [](std::string_view name) { return find_relation(name)->file; };
  EXPECT_EQ(file_of("__intrinsic_slice"), "src/tables/slice_tables.h");
  EXPECT_EQ(file_of("slice"), "src/tables/slice_tables.h");
  EXPECT_EQ(file_of("__intrinsic_args"), "src/tables/args_table.h");
  EXPECT_EQ(file_of("thread_track"), "src/tables/views/slice.sql");
  for (const RelationDeclaration& relation : all_relations())
    EXPECT_TRUE(relation.file.starts_with("src/tables/")) << relation.name;
}

TEST(Registry, RawNamesAreConstants) {
  EXPECT_EQ(SliceTable::kName, "__intrinsic_slice");
  for (const SqlModule& module : sql_modules())
    EXPECT_EQ(module.file, "src/tables/views/" + std::string(module.name) + ".sql");
}

}  // namespace
}  // namespace tracebraid
