// ComputedRows: the rows of operators of a statement, computed from columns before it runs.
//
// SQLite would pass each row of an input to an aggregate, and each row of the result to the
// statement. Instead the inputs are gathered as columns, and the statement reads the result as a
// table:
//
//   SELECT count(*), sum(dur) FROM (SELECT c0 AS ts, ... FROM __intrinsic_table_columns(...))
//   SELECT count(*), sum(dur) FROM __intrinsic_rows_0
//
// The rows and their order are the same. A statement that fails here runs unchanged, so that errors
// are those of SQLite.
#pragma once

#include <sqlite3.h>

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/compile/statement.h"

namespace tracebraid {

class ComputedRows {
 public:
  explicit ComputedRows(ConnectionState& connection) : connection_(connection) {}
  ComputedRows(const ComputedRows&) = delete;
  ComputedRows& operator=(const ComputedRows&) = delete;
  ~ComputedRows();

  std::string sql;         // reads the tables of this object
  StatementPtr statement;  // of `sql`
  // Adds a table without a name of its own and returns its name. Errors: Sql.
  Result<std::string> add(std::shared_ptr<const Table> table);
  // Shares the tables, which then outlive this object.
  std::shared_ptr<const void> tables() const { return tables_; }

 private:
  using Tables = std::vector<std::shared_ptr<const Table>>;
  ConnectionState& connection_;
  std::shared_ptr<Tables> tables_ = std::make_shared<Tables>();
  std::vector<std::string> names_;
};

// Returns null if `compiled`, the statement `sql`, must run unchanged, and an Error if the
// computation was stopped or takes more than the limit of memory. `values` are those of variables.
Result<std::unique_ptr<ComputedRows>> computed_rows(ConnectionState& connection,
                                                    sqlite3_stmt* compiled, std::string_view sql,
                                                    std::span<const Cell> values);

}  // namespace tracebraid
