// SQL functions that look into the store.
#pragma once

#include <vector>

#include "sql/database.h"
#include "sql/prelude.h"
#include "store/store.h"

namespace tracebraid {

// The store must outlive them.
std::vector<SqlFunction> session_functions(const Store& store);

}  // namespace tracebraid
