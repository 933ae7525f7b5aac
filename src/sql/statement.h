// Running one statement that SQLite compiled.
#pragma once

#include <sqlite3.h>

#include <memory>

#include "sql/database.h"

namespace tracebraid {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using StatementPtr = std::unique_ptr<sqlite3_stmt, Finalize>;

enum class Outcome : uint8_t { Done, StoppedBySink, Failed };

// Runs it to its end, handing rows to the sink. After Failed, sqlite3_errmsg()
// says why.
Outcome run_statement(sqlite3_stmt* statement, RowSink& sink);

}  // namespace tracebraid
