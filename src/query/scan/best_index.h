// Chooses which filters and order of a statement the scan of a table takes over.
#pragma once

#include <sqlite3.h>

#include "query/scan/table.h"

namespace tracebraid {

// xBestIndex: fills in the outputs of `info`. Returns a code of SQLite's.
int choose_plan(sqlite3_index_info* info, const Table& table);

}  // namespace tracebraid
