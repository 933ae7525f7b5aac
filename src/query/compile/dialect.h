// Statements of the dialect that SQLite does not have (spec sql-dialect 2). Each statement passes
// here before SQLite compiles it.
#pragma once

#include <cstdint>
#include <string_view>

namespace tracebraid {

enum class Statement : uint8_t {
  Sqlite,  // any statement of SQLite
  IncludeModule,
  CreateTable,
  CreateView,
  CreateFunction,
  CreateMacro,
  CreateIndex,
  DropIndex,
};

// Returns the kind by the first words, such as CREATE OR REPLACE PERFETTO TABLE.
Statement kind_of_statement(std::string_view sql);

// Returns "CREATE PERFETTO TABLE".
std::string_view name_of(Statement statement);

}  // namespace tracebraid
