// SQL functions that read the Store.
//
// Input: a Store and the clocks. Output: SqlFunctions. Called when a trace is opened.
#pragma once

#include <memory>
#include <vector>

#include "query/functions/sql_function.h"
#include "query/scan/stop_check.h"
#include "tables/store.h"

namespace tracebraid {

struct MergedClocks;
class OrderSource;

// The store, and the stop of the running statement, must outlive the functions. Without clocks,
// conversions return NULL or an error; without `orders`, event_order() returns NULL.
std::vector<SqlFunction> session_functions(const Store& store, const StopCheck& stop,
                                           std::shared_ptr<const MergedClocks> clocks = nullptr,
                                           std::shared_ptr<OrderSource> orders = nullptr);

}  // namespace tracebraid
