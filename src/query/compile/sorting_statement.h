// Statements whose rows SQLite sorts, so that a sort can be stopped.
//
// SQLite sorts rows that stay in memory at once, seconds for millions of them, and looks at nothing
// meanwhile. Rows that may lie in files it sorts in chunks, which it merges while it gives them. So
// a statement that sorts runs on a second handle of the connection, whose temporary files lie in
// memory (memory_files.h). Other statements stay on the first one: temporary tables of SQLite can
// be slower where they are files. Once a statement did more than read, sorts stay there, too, and
// the first handle has such files (before_run() of connection_state.h).
#pragma once

#include <sqlite3.h>

#include <memory>
#include <span>
#include <string_view>

#include "column/column.h"
#include "query/compile/connection_state.h"
#include "query/compile/statement.h"

namespace tracebraid {

struct SortingStatement {
  std::shared_ptr<ConnectionState> connection;  // of the second handle
  StatementPtr statement;                       // its variables are bound
};

// Returns the statement on the second handle for `compiled`, the statement `sql` with these
// `values` of its variables. Without a statement in the result, run `compiled` unchanged: it does
// not sort, its tables are small, or it needs state of the first handle.
SortingStatement sorting_statement(ConnectionState& connection, sqlite3_stmt* compiled,
                                   std::string_view sql, std::span<const Cell> values);

}  // namespace tracebraid
