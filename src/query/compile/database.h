// Database: a TableSet with one Connection, under the names that callers used before there could be
// several. New code uses query/compile/connection.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "base/string_pool.h"
#include "column/column.h"
#include "query/compile/connection.h"
#include "query/functions/sql_function.h"
#include "query/row_sink.h"

namespace tracebraid {

class Database {
 public:
  using Relation = RelationInfo;
  using StoredRelation = tracebraid::StoredRelation;

  // The tables and strings must outlive the database. `prelude` is SQL that
  // makes the public views.
  static Result<Database> open(std::vector<TableView> tables, const StringPool& strings,
                               std::vector<SqlFunction> functions, std::string_view prelude,
                               BeforeUse before_use = {});

  Result<> run(std::string_view sql, RowSink& sink);

  // Stops what run() does, from any thread or a signal handler, or the next run(), if none is
  // under way.
  void interrupt() { stop_->request(); }

  static constexpr size_t kLeastRowsToGroup = Connection::kLeastRowsToGroup;
  void set_least_rows_to_group(size_t rows) { connection_.set_least_rows_to_group(rows); }
  std::vector<Relation> relations() { return connection_.relations(); }
  std::optional<StoredRelation> stored_relation(std::string_view name) {
    return connection_.stored_relation(name);
  }
  Connection& connection() { return connection_; }

 private:
  explicit Database(Connection connection) : connection_(std::move(connection)) {}

  Connection connection_;
  std::shared_ptr<Stop> stop_ = std::make_shared<Stop>();
};

}  // namespace tracebraid
