// Chooses the filters and the order of a statement that the scan of a table takes over.
#pragma once

#include <sqlite3.h>

#include "query/scan/table.h"

namespace tracebraid {

// Implements xBestIndex: sets the outputs of `info`. Returns an SQLite code.
int choose_plan(sqlite3_index_info* info, const Table& table);

}  // namespace tracebraid
