// The columns of a table or view of a connection, by its name.
#pragma once

#include <sqlite3.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tracebraid {

struct RelationColumnType {
  std::string name;
  std::string type;  // as declared; may be empty
};

// Leaves out hidden columns. Error: Sql for an unknown name and for a view that cannot be compiled.
Result<std::vector<RelationColumnType>> columns_of_relation(sqlite3* db, std::string_view name);

// Returns the columns of a SELECT. Error: Sql if it cannot be compiled.
Result<std::vector<RelationColumnType>> columns_of_select(sqlite3* db, const std::string& sql);

// Returns `name` in double quotes.
std::string quoted(std::string_view name);

// Compares names without regard to the case of ASCII letters.
bool is_same_name(std::string_view a, std::string_view b);

}  // namespace tracebraid
