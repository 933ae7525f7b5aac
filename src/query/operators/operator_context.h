// OperatorContext: the services of a connection that operators use.
#pragma once

#include <sqlite3.h>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "query/operators/gathered.h"
#include "query/operators/operator_table.h"
#include "query/scan/query_memory.h"
#include "query/scan/query_stats.h"
#include "query/scan/sqlite_module.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

struct OperatorContext {
  sqlite3* db = nullptr;
  StopCheck* stop = nullptr;      // for the running statement
  QueryMemory* memory = nullptr;  // of the running statement
  unsigned threads = 1;
  QueryStats* const* stats = nullptr;  // of the running statement; it may point to null
  // The tables of the main schema whose rows can be computed as columns, by name in lower case.
  std::map<std::string, const OperatorTable*, std::less<>> tables = {};
  // Runs one SELECT with `values` for its variables. Errors: Sql with the message of SQLite, those
  // of `stop`, and Limit.
  std::function<Result<GatheredRows>(std::string_view sql, std::span<const Cell> values)> gather;
};

// Reports a failed call of a module. Returns the code of the failure. Errors other than Sql end the
// statement with their code.
inline int fail_with(sqlite3_vtab* vtab, StopCheck& stop, const Error& error) {
  if (error.code == ErrorCode::Sql) return fail_with(vtab, error.message);
  stop.stop_with(error);
  return SQLITE_INTERRUPT;
}

}  // namespace tracebraid
