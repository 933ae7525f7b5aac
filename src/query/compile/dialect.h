// Statements that are ours and not SQLite's (spec sql-dialect 2). Each statement
// passes here before SQLite sees it.
#pragma once

#include <cstdint>
#include <string_view>

namespace tracebraid {

enum class Statement : uint8_t {
  Sqlite,  // none of ours
  IncludeModule,
  CreateTable,
  CreateView,
  CreateFunction,
  CreateMacro,
  CreateIndex,
  DropIndex,
};

// By its first words, e.g. CREATE OR REPLACE PERFETTO TABLE.
Statement kind_of_statement(std::string_view sql);

// "CREATE PERFETTO TABLE".
std::string_view name_of(Statement statement);

}  // namespace tracebraid
