// ConnectionState: the members of a connection, for files that run statements on it.
#pragma once

#include <sqlite3.h>

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "query/compile/dialect.h"
#include "query/compile/guard.h"
#include "query/compile/parameters.h"
#include "query/compile/relation.h"
#include "query/compile/source_map.h"
#include "query/compile/table_set.h"
#include "query/macros/macro.h"
#include "query/operators/operator_context.h"
#include "query/scan/stop_check.h"
#include "query/scan/virtual_table.h"

namespace tracebraid {

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};

struct Session;

// The texts of views by name in lower case.
using ViewTexts = std::map<std::string, std::string, std::less<>>;

struct ConnectionState : std::enable_shared_from_this<ConnectionState> {
  ConnectionState();
  ConnectionState(const ConnectionState&) = delete;
  ConnectionState& operator=(const ConnectionState&) = delete;
  ~ConnectionState();

  std::shared_ptr<const TableSet> tables;
  StopCheck stop;  // for the running statement
  TableModule module;
  std::vector<SqlFunction> functions;
  Guard guard;
  size_t least_rows_to_group = 0;
  bool has_changed = false;                   // a statement ran that does more than read
  bool is_as_new = true;                      // no statement left anything, such as a module
  ViewTexts views;                            // used while is_as_new; empty: not read yet
  size_t least_rows_to_sort_apart = 0;        // of a table; see sorting_statement.h
  std::shared_ptr<ConnectionState> sorting;   // the second handle, opened on first use
  bool is_busy = false;                       // whether a Query uses the connection
  std::span<const Parameter> parameters;      // of the running query
  size_t include_depth = 0;                   // running modules
  std::vector<TableFunction> session_tables;  // registered with this connection only
  size_t call_depth = 0;                      // running calls of functions of the user
  bool has_redefined = false;  // whether a function of the user has the name of another one
  MacroSet macros;
  // Runs a statement of the dialect, whose macros are expanded. An Error has a traceback.
  Result<> (*run_own)(ConnectionState&, const SqlText& statement, Statement kind) = nullptr;
  // Of the running statement, of the tables that its query created, and of memoized results.
  QueryMemory operator_memory;
  std::unique_ptr<Session> session;  // what statements of the dialect created
  OperatorContext operators;
  std::unique_ptr<sqlite3, CloseDatabase> db;  // last: closed first, as it points to the others

  RelationOf relations() const { return relations_in(db.get(), guard, module); }
};

// Opens a handle over the same tables whose sorts can be stopped. Returns null on failure.
std::shared_ptr<ConnectionState> open_sorting_handle(const ConnectionState& connection);

// Called before each statement runs. The first one that does more than read, such as to create a
// table, sets temporary files for this handle: its sorts see what other handles do not have, and
// must be stoppable, too.
void before_run(ConnectionState& connection, sqlite3_stmt* compiled);
// Does the same before a statement that changes something.
void before_change(ConnectionState& connection);

}  // namespace tracebraid
