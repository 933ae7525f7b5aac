// Implements regexp(), regexp_extract(), regexp_replace_simple() (spec sql-dialect 4.4).
#pragma once

#include <vector>

#include "query/functions/sql_function.h"

namespace tracebraid {

// The functions are named __intrinsic_...; public names have no prefix.
std::vector<SqlFunction> regular_expression_functions();

}  // namespace tracebraid
