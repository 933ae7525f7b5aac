// Implements extract_arg() and __intrinsic_arg_set_to_json() (spec sql-dialect 4.2).
#pragma once

#include <vector>

#include "query/functions/sql_function.h"
#include "tables/store.h"

namespace tracebraid {

std::vector<SqlFunction> arg_functions(const Store& store);

}  // namespace tracebraid
