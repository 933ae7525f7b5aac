// Running one statement that SQLite compiled.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>
#include <vector>

#include "query/compile/database.h"

namespace tracebraid {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using StatementPtr = std::unique_ptr<sqlite3_stmt, Finalize>;

enum class Outcome : uint8_t { Done, StoppedBySink, Failed };

std::vector<std::string> column_names(sqlite3_stmt* statement);

// Runs it to its end, handing rows to the sink, with columns of these names. After Failed,
// sqlite3_errmsg() says why.
Outcome run_statement(sqlite3_stmt* statement, const std::vector<std::string>& names,
                      RowSink& sink);

}  // namespace tracebraid
