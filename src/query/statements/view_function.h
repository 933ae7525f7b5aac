// Table functions of CREATE PERFETTO FUNCTION ... RETURNS TABLE (spec sql-dialect 2.6).
#pragma once

#include <string_view>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/statements/functions.h"

namespace tracebraid {

inline constexpr std::string_view kViewFunctionModule = "__intrinsic_view_function";

// Registers the module of all table functions of the connection.
Result<> add_view_function_module(ConnectionState& connection);

// Compiles the body and compares it with the declaration. An Error has a traceback.
Result<> check_view_function(const ConnectionState& connection, ViewFunction& function);

}  // namespace tracebraid
