// The answer to SQLite's question how a table would take over filters and order.
#pragma once

#include <sqlite3.h>

#include "query/scan/table.h"

namespace tracebraid {

// xBestIndex: fills in the outputs of `info`. Returns a code of SQLite's.
int choose_plan(sqlite3_index_info* info, const Table& table);

}  // namespace tracebraid
