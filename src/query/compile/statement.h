// Statements that SQLite compiled.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tracebraid {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using StatementPtr = std::unique_ptr<sqlite3_stmt, Finalize>;

// Compiles one statement. Returns null if that fails; the error is that of `db`.
StatementPtr prepare(sqlite3* db, std::string_view sql);

std::vector<std::string> column_names(sqlite3_stmt* statement);

}  // namespace tracebraid
