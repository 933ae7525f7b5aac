// Statements that SQLite compiled.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>
#include <vector>

namespace tracebraid {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using StatementPtr = std::unique_ptr<sqlite3_stmt, Finalize>;

std::vector<std::string> column_names(sqlite3_stmt* statement);

}  // namespace tracebraid
