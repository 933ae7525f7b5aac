// SQL functions that read the Store.
//
// Input: a Store and the clocks. Output: SqlFunctions. Called when a trace is opened.
#pragma once

#include <memory>
#include <vector>

#include "query/functions/sql_function.h"
#include "tables/store.h"

namespace tracebraid {

struct MergedClocks;

// The store must outlive them. Without clocks, those that convert find none.
std::vector<SqlFunction> session_functions(const Store& store,
                                           std::shared_ptr<const MergedClocks> clocks = nullptr);

}  // namespace tracebraid
