// SortingStatement: runs statements whose rows SQLite sorts so that a sort can be stopped.
//
// SQLite sorts rows in memory in one step, which takes seconds for millions of rows and cannot be
// interrupted. It sorts rows that may be in files in chunks, which it merges while it returns rows.
// Therefore a statement that sorts runs on a second handle of the connection, whose temporary files
// are in memory (memory_files.h), at the same speed. Other statements stay on the first handle,
// because tables that SQLite makes for itself are faster without files.
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
