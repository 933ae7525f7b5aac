// A statement whose aggregates were pushed down, compiled over the groups.
#pragma once

#include <sqlite3.h>

#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
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

// `sql` is one statement that SQLite has compiled. Null: it is to run as it is. An Error: it was
// cancelled while its rows were grouped.
Result<std::unique_ptr<PushedStatement>> pushed_statement(sqlite3* db, std::string_view sql,
                                                          const RelationOf& relation_of,
                                                          size_t least_rows);

}  // namespace tracebraid
