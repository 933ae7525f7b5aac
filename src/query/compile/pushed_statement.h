// PushedStatement: a statement whose aggregates were pushed down, compiled over the groups.
#pragma once

#include <sqlite3.h>

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/compile/relation.h"
#include "query/compile/statement.h"
#include "query/group/group_rows.h"
#include "query/scan/virtual_table.h"

namespace tracebraid {

struct PushedStatement {
  PushedStatement(sqlite3* connection, QueryMemory* memory) : db(connection), groups(memory) {}
  PushedStatement(const PushedStatement&) = delete;
  PushedStatement& operator=(const PushedStatement&) = delete;
  ~PushedStatement();

  sqlite3* db;
  std::shared_ptr<const Table> computed;  // whose rows are grouped; null: a table of the trace
  std::deque<std::string> texts;          // of the filters
  Groups groups;
  TableModule module;  // the table of groups
  StatementPtr statement;
};

// Rewrites and compiles `sql`, the text of `compiled`; `values` are the values of its variables by
// number, which the result has bound. Returns null if `compiled` must run unchanged, and an Error
// if it was stopped while grouping rows.
Result<std::unique_ptr<PushedStatement>> pushed_statement(ConnectionState& connection,
                                                          sqlite3_stmt* compiled,
                                                          std::string_view sql,
                                                          std::span<const Cell> values);

}  // namespace tracebraid
