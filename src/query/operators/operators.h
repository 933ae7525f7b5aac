// Registers the operators of the dialect (spec sql-dialect 3).
//
// Input: an OperatorContext. Output: modules and functions of a SQLite connection. Called by
// Connection. Each operator has files of its own: its module or function, and its algorithm, which
// knows nothing of SQLite.
#pragma once

#include "query/operators/operator_context.h"

namespace tracebraid {

// The context must outlive the connection.
Result<> add_operators(OperatorContext& context);

}  // namespace tracebraid
