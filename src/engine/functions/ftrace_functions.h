// to_ftrace(): kernel events as lines of ftrace text (spec sql-dialect 4.10).
#pragma once

#include <vector>

#include "query/functions/sql_function.h"
#include "tables/store.h"

namespace tracebraid {

// The store must outlive the functions.
std::vector<SqlFunction> ftrace_functions(const Store& store);

}  // namespace tracebraid
