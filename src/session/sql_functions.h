// SQL functions that look into the store.
#pragma once

#include <memory>
#include <vector>

#include "sql/database.h"
#include "sql/prelude.h"
#include "store/store.h"

namespace tracebraid {

struct MergedClocks;

// The store must outlive them. Without clocks, those that convert find none.
std::vector<SqlFunction> session_functions(const Store& store,
                                           std::shared_ptr<const MergedClocks> clocks = nullptr);

}  // namespace tracebraid
