// The modules of SQL: the files src/tables/views/*.sql, built into the program.
#pragma once

#include <span>
#include <string_view>

namespace tracebraid {

struct SqlModule {
  std::string_view name;  // of the file: "slice"
  std::string_view file;  // "src/tables/views/slice.sql"
  std::string_view text;
};

// Returns all modules by name.
std::span<const SqlModule> sql_modules();

}  // namespace tracebraid
