// Implements table functions over slices and flows (spec sql-dialect 3.7, 3.8).
#pragma once

#include <vector>

#include "query/functions/table_function.h"
#include "tables/store.h"

namespace tracebraid {

// ancestor_slice, descendant_slice, following_flow, preceding_flow, directly_connected_flow. They
// share indexes of the store, each of which is built once, by the first call that needs it. The
// store must outlive the functions.
std::vector<TableFunction> slice_functions(const Store& store);

}  // namespace tracebraid
