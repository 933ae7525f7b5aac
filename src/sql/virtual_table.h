// The SQLite module through which every TableView is a table.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sql/table.h"

namespace tracebraid {

inline constexpr std::string_view kTableModule = "__intrinsic_dataframe";

// Registers the module and makes a virtual table of each of `tables`, under its
// own name. They must outlive the connection.
Result<> add_tables(sqlite3* db, const std::vector<std::unique_ptr<Table>>& tables);

}  // namespace tracebraid
