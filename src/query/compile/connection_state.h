// ConnectionState: the members of a connection, for files that run statements on it.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <vector>

#include "query/compile/guard.h"
#include "query/compile/relation.h"
#include "query/compile/table_set.h"
#include "query/scan/stop_check.h"
#include "query/scan/virtual_table.h"

namespace tracebraid {

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};

struct ConnectionState {
  std::shared_ptr<const TableSet> tables;
  StopCheck stop;  // for the running statement
  TableModule module;
  std::vector<SqlFunction> functions;
  Guard guard;
  size_t least_rows_to_group = 0;
  bool has_changed = false;                    // a statement ran that does more than read
  size_t least_rows_to_sort_apart = 0;         // of a table; see sorting_statement.h
  std::shared_ptr<ConnectionState> sorting;    // the second handle, opened on first use
  bool is_busy = false;                        // whether a Query uses the connection
  std::unique_ptr<sqlite3, CloseDatabase> db;  // last: closed first, as it points to the others

  RelationOf relations() const { return relations_in(db.get(), guard, module); }
};

// Opens a handle over the same tables whose sorts can be stopped. Returns null on failure.
std::shared_ptr<ConnectionState> open_sorting_handle(const ConnectionState& connection);

// Called before each statement runs. The first one that does more than read, such as to create a
// table, sets temporary files for this handle: its sorts see what other handles do not have, and
// must be stoppable, too.
void before_run(ConnectionState& connection, sqlite3_stmt* compiled);

// Returns the error of the last call of SQLite, without a position.
Error sqlite_error(sqlite3* db);

}  // namespace tracebraid
