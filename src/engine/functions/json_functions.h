// SQL functions for JSON traces (spec json 7.5).
#pragma once

#include <vector>

#include "query/functions/sql_function.h"
#include "query/scan/stop_check.h"
#include "tables/store.h"

namespace tracebraid {

// The store must outlive the functions.
std::vector<SqlFunction> json_functions(const Store& store, const StopCheck& stop);

}  // namespace tracebraid
