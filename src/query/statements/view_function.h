// Table functions of CREATE PERFETTO FUNCTION ... RETURNS TABLE (spec sql-dialect 2.6).
#pragma once

#include <sqlite3.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/compile/source_map.h"
#include "query/compile/statement.h"
#include "query/statements/types.h"

namespace tracebraid {

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

inline constexpr std::string_view kViewFunctionModule = "__intrinsic_view_function";

// Registers the module of all table functions of the connection.
Result<> add_view_function_module(ConnectionState& connection);

// Compiles the body and compares it with the declaration. An Error has a traceback.
Result<> check_view_function(const ConnectionState& connection, ViewFunction& function);

}  // namespace tracebraid
