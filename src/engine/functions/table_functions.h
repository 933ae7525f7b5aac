// The table functions that read the Store.
//
// A source file of this folder makes related table functions and includes this header;
// table_functions.inc has a line for it.
#pragma once

#include <vector>

#include "query/functions/table_function.h"
#include "tables/store.h"

namespace tracebraid {

// Returns all table functions. The store must outlive them; any number of threads may use them.
std::vector<TableFunction> table_functions(const Store& store);

#define TB_TABLE_FUNCTIONS(name) std::vector<TableFunction> name(const Store& store);
#include "engine/functions/table_functions.inc"
#undef TB_TABLE_FUNCTIONS

}  // namespace tracebraid
