// Implements regexp(), regexp_extract(), regexp_replace_simple() (spec sql-dialect 4.4).
#pragma once

#include <vector>

#include "query/functions/sql_function.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

// The functions are named __intrinsic_...; public names have no prefix. `stop` is that of the
// running statement, and must outlive the functions.
std::vector<SqlFunction> regular_expression_functions(const StopCheck& stop);

}  // namespace tracebraid
