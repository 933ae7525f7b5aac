// Functions that act on their connection: create_function(), import() and others (spec sql-dialect
// 4.7), and tables about created objects.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/functions/sql_function.h"

namespace tracebraid {

// Returns the functions of a connection. With null they are for descriptions only.
std::vector<SqlFunction> statement_functions(ConnectionState* connection);

// Registers perfetto_table_info() and the module of table functions.
Result<> add_session_tables(ConnectionState& connection);

// Returns whether a statement only calls such a function, so that its rows are not shown.
bool only_acts(std::string_view select);

}  // namespace tracebraid
