// SQL functions that compress and decompress bytes.
#pragma once

#include <vector>

#include "query/functions/sql_function.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

std::vector<SqlFunction> compression_functions(const StopCheck& stop);

}  // namespace tracebraid
