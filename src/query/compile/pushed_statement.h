// A statement whose aggregates were pushed down, compiled over the groups.
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
  explicit PushedStatement(sqlite3* connection) : db(connection) {}
  PushedStatement(const PushedStatement&) = delete;
  PushedStatement& operator=(const PushedStatement&) = delete;
  ~PushedStatement();

  sqlite3* db;
  std::deque<std::string> texts;  // of the filters
  Groups groups;
  TableModule module;  // the table of groups
  StatementPtr statement;
};

// `sql` is the text of `compiled`, `values` are those of its variables by number. The statement
// has its values. Null: `compiled` is to run as it is. An Error: it was stopped while its rows were
// grouped.
Result<std::unique_ptr<PushedStatement>> pushed_statement(ConnectionState& connection,
                                                          sqlite3_stmt* compiled,
                                                          std::string_view sql,
                                                          std::span<const Cell> values);

}  // namespace tracebraid
