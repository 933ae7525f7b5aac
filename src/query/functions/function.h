// How functions become functions of SQL.
//
// Input: declarations of scalar, aggregate, window and table functions. Output: functions of a
// SQLite connection. Called by Connection; the engine passes the functions that need the Store.
#pragma once

#include <sqlite3.h>

#include <span>
#include <vector>

#include "base/result.h"
#include "query/functions/sql_function.h"

namespace tracebraid {

// `functions` must outlive the connection.
Result<> add_functions(sqlite3* db, std::span<const SqlFunction> functions);

// Functions of the dialect that need no table (spec sql-dialect 4.3 to 4.5): text, bytes,
// patterns.
std::vector<SqlFunction> builtin_functions();

// Appends `function`, which is named __intrinsic_x, under that name and as x
// (spec sql-dialect 4.1).
void add_with_twin(const SqlFunction& function, std::vector<SqlFunction>& functions);

// last_non_null, value_at_max_ts, percentile and its kin (spec sql-dialect 4.6).
Result<> add_aggregates(sqlite3* db);

}  // namespace tracebraid
