// Registers functions in SQLite.
//
// Input: declarations of scalar, aggregate, window and table functions. Output: functions of a
// SQLite connection. Called by Connection; the engine passes the functions that need the Store.
#pragma once

#include <sqlite3.h>

#include <span>
#include <vector>

#include "base/result.h"
#include "query/functions/sql_function.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

// `functions` must outlive the connection. `stop` is that of the running statement.
Result<> add_functions(sqlite3* db, std::span<const SqlFunction> functions, StopCheck& stop);

// Returns functions of the dialect that need no table (spec sql-dialect 4.3 to 4.5): text, bytes,
// patterns. `stop` is that of the running statement, and must outlive the functions.
std::vector<SqlFunction> builtin_functions(const StopCheck& stop);

// Appends `function`, which is named __intrinsic_x, under that name and as x (spec sql-dialect
// 4.1).
void add_with_twin(const SqlFunction& function, std::vector<SqlFunction>& functions);

// An aggregate function in SQLite's form; with `remove_first` also a window function.
struct AggregateFunction {
  FunctionSignature signature;
  std::string_view about;
  void (*add)(sqlite3_context*, int, sqlite3_value**);
  void (*finish)(sqlite3_context*);
  void (*current)(sqlite3_context*) = nullptr;
  void (*remove_first)(sqlite3_context*, int, sqlite3_value**) = nullptr;
};

// Returns last_non_null, value_at_max_ts, percentile and related functions (spec sql-dialect 4.6).
std::span<const AggregateFunction> aggregate_functions();
// `stop` is that of the running statement.
Result<> add_aggregates(sqlite3* db, StopCheck& stop);

}  // namespace tracebraid
