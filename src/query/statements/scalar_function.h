// Scalar functions of CREATE PERFETTO FUNCTION (spec sql-dialect 2.5).
#pragma once

#include <sqlite3.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/compile/source_map.h"
#include "query/compile/statement.h"
#include "query/functions/sql_function.h"
#include "query/statements/types.h"

namespace tracebraid {

// Calls of functions within calls, of all functions; more are an Error.
inline constexpr size_t kDeepestCall = 1000;

// A value that is kept between statements.
struct FreeValue {
  void operator()(sqlite3_value* value) const { sqlite3_value_free(value); }
};
using ValuePtr = std::unique_ptr<sqlite3_value, FreeValue>;

// Results of a function of one integer, of experimental_memoize().
struct Memo {
  std::unordered_map<int64_t, ValuePtr> results;
  bool is_unrolling = false;            // while a call outside of the body runs
  std::optional<int64_t> missing = {};  // the argument that the body needs first
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

// Adds or replaces a function and compiles its body, which may call it. An Error of the body has a
// traceback.
Result<> add_scalar_function(ConnectionState& connection, ScalarFunction function);

// Returns null if there is none.
ScalarSlot* find_scalar_function(ConnectionState& connection, std::string_view name, int arity);

}  // namespace tracebraid
