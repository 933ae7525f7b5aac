// Scalar functions of CREATE PERFETTO FUNCTION (spec sql-dialect 2.5).
#pragma once

#include <string_view>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/statements/functions.h"

namespace tracebraid {

// Adds or replaces a function and compiles its body, which may call it. An Error of the body has a
// traceback.
Result<> add_scalar_function(ConnectionState& connection, ScalarFunction function);

// Returns null if there is none.
ScalarSlot* find_scalar_function(ConnectionState& connection, std::string_view name, int arity);

}  // namespace tracebraid
