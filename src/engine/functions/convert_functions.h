// Implements clock_convert() and clock_error(), between any clocks of any machines.
#pragma once

#include <memory>
#include <vector>

#include "query/functions/sql_function.h"
#include "tables/store.h"

namespace tracebraid {

struct MergedClocks;

// `store` must outlive the functions.
std::vector<SqlFunction> convert_functions(const Store& store,
                                           std::shared_ptr<const MergedClocks> clocks);

}  // namespace tracebraid
