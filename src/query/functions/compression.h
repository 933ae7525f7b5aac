// SQL functions that compress and decompress bytes.
#pragma once

#include <vector>

#include "query/functions/sql_function.h"

namespace tracebraid {

std::vector<SqlFunction> compression_functions();

}  // namespace tracebraid
