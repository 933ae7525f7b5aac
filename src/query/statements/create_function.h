// CREATE PERFETTO FUNCTION, and its older forms create_function() and create_view_function() (spec
// sql-dialect 2.5, 2.6, 4.7).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/compile/source_map.h"
#include "query/statements/parse.h"

namespace tracebraid {

// `statement` was parsed from `sql`. Errors have a traceback.
Result<> create_function(ConnectionState& connection, const SqlText& sql,
                         const ParsedStatement& statement);

// Creates or replaces a function: 'f(x INT)', 'INT', 'SELECT ...'. Errors are one line.
Result<> create_function_of_text(ConnectionState& connection, std::string_view prototype,
                                 std::string_view returns, std::string_view body);
// Creates or replaces a table function: 'g(x INT)', 'a INT, b STRING', 'SELECT ...'.
Result<> create_view_function_of_text(ConnectionState& connection, std::string_view prototype,
                                      std::string_view columns, std::string_view body);

// Keeps the results of a function of one integer from now on: experimental_memoize().
Result<> memoize_function(ConnectionState& connection, std::string_view name);

}  // namespace tracebraid
