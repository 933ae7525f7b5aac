// Functions of CREATE PERFETTO FUNCTION (spec sql-dialect 2.5, 2.6), as the session keeps them.
#pragma once

#include <sqlite3.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "query/compile/source_map.h"
#include "query/compile/statement.h"
#include "query/functions/sql_function.h"
#include "query/scan/query_memory.h"
#include "query/statements/types.h"

namespace tracebraid {

struct ConnectionState;

// Calls of functions within calls, of all functions; more are an Error.
inline constexpr size_t kDeepestCall = 1000;

// A value that is kept between statements.
struct FreeValue {
  void operator()(sqlite3_value* value) const { sqlite3_value_free(value); }
};
using ValuePtr = std::unique_ptr<sqlite3_value, FreeValue>;

// Results of a function of one integer, of experimental_memoize().
struct Memo {
  explicit Memo(QueryMemory* of) : memory(of) {}
  std::unordered_map<int64_t, ValuePtr> results;
  bool is_unrolling = false;            // while a call outside of the body runs
  std::optional<int64_t> missing = {};  // the argument that the body needs first
  OperatorMemory memory;                // of the results
};

struct ScalarFunction {
  std::string name;
  std::vector<std::string> parameters;  // without '$'
  std::vector<DialectType> types;       // of the parameters
  SqlText body;
  const SqlFunction* target = nullptr;  // of DELEGATES TO; then there is no body
  bool is_variadic = false;
  std::vector<StatementPtr> idle;  // compiled bodies that do not run; one for each depth
  std::unique_ptr<Memo> memo;      // null without experimental_memoize()

  int arity() const { return is_variadic ? -1 : static_cast<int>(parameters.size()); }
};

// The function of one name and number of arguments, as SQLite calls it. The slot stays when the
// function is replaced.
struct ScalarSlot {
  ConnectionState* connection;
  std::shared_ptr<ScalarFunction> function;  // null: creating it failed
};
// By name in lower case and arity.
using ScalarFunctions = std::map<std::pair<std::string, int>, std::unique_ptr<ScalarSlot>>;

// A function that returns a table.
struct ViewFunction {
  struct Column {
    std::string name;
    DialectType type;
  };
  std::string name;
  std::vector<std::string> parameters;  // without '$'
  std::vector<DialectType> types;       // of the parameters
  std::vector<Column> columns;
  SqlText body;
  std::vector<StatementPtr> idle = {};  // compiled bodies that do not run
};
// By number, as of created tables.
using ViewFunctions = std::map<std::string, std::shared_ptr<ViewFunction>, std::less<>>;

}  // namespace tracebraid
