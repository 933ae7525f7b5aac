// Runs one statement that SQLite compiled.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>
#include <vector>

#include "query/row_sink.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using StatementPtr = std::unique_ptr<sqlite3_stmt, Finalize>;

enum class Outcome : uint8_t { Done, StoppedBySink, Stopped, Failed };

std::vector<std::string> column_names(sqlite3_stmt* statement);

// Runs the statement to its end and passes rows to the sink, with columns of these names. After
// Failed, sqlite3_errmsg() has the reason; after Stopped, `stop` has it.
Outcome run_statement(sqlite3_stmt* statement, const std::vector<std::string>& names, RowSink& sink,
                      const StopCheck& stop);

}  // namespace tracebraid
