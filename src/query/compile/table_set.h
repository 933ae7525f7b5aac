// TableSet: the state that all connections of a trace share: its tables, with facts that queries
// found about their columns, its functions and its public views. Immutable, except for a count of
// bytes; used by any number of connections on different threads.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/memory_limit.h"
#include "base/string_pool.h"
#include "column/column.h"
#include "query/functions/sql_function.h"
#include "query/functions/table_function.h"
#include "query/library/packages.h"
#include "query/scan/table.h"
#include "query/scan/virtual_table.h"

namespace tracebraid {

// Returns Field::meaning of a column of a raw table.
using ColumnMeaning = std::string (*)(std::string_view table, const ColumnView& column);

struct TableSetParts {
  std::vector<TableView> tables;
  const StringPool* strings = nullptr;  // required; for texts in `tables`
  // Makes the functions of one connection, which may keep state between calls. The stop of its
  // running statement outlives them. Empty: none. Called on any thread.
  std::function<std::vector<SqlFunction>(const StopCheck&)> functions = {};
  // Shared by all connections; called on any thread.
  std::vector<TableFunction> table_functions = {};
  std::string prelude = {};                // SQL that creates the public tables and views
  BeforeUse before_use = {};               // thread-safe
  ColumnMeaning column_meaning = nullptr;  // thread-safe; null: no column has one
  // SQLite may keep rows in temporary files, in the folder that it takes from the environment.
  bool has_temporary_files = false;
  std::shared_ptr<MemoryLimit> memory_limit = {};  // of created tables; may be null
  std::vector<SqlPackage> packages = {};           // of the user's modules
  unsigned threads = 1;                            // number of threads of an operator
  std::shared_ptr<const void> owner = {};  // keeps the other members' memory alive; may be null
};

class TableSet {
 public:
  explicit TableSet(TableSetParts parts);

  std::span<const std::unique_ptr<const Table>> tables() const { return tables_; }
  std::vector<SqlFunction> functions(const StopCheck& stop) const;
  std::span<const TableFunction> table_functions() const { return parts_.table_functions; }
  const std::string& prelude() const { return parts_.prelude; }
  unsigned threads() const { return parts_.threads; }
  const BeforeUse& before_use() const { return parts_.before_use; }
  ColumnMeaning column_meaning() const { return parts_.column_meaning; }
  bool has_temporary_files() const { return parts_.has_temporary_files; }
  const std::shared_ptr<MemoryLimit>& memory_limit() const { return parts_.memory_limit; }
  std::span<const SqlPackage> packages() const { return parts_.packages; }
  // The bytes that the statements of all connections hold.
  std::atomic<size_t>& statement_bytes() const { return statement_bytes_; }

 private:
  TableSetParts parts_;
  std::vector<std::unique_ptr<const Table>> tables_;
  mutable std::atomic<size_t> statement_bytes_ = 0;
};

}  // namespace tracebraid
