// Chooses which filters and order of a statement the scan of a table takes over.
#pragma once

#include <sqlite3.h>

#include "query/scan/table.h"

namespace tracebraid {

// xBestIndex: fills in the outputs of `info`. Returns a code of SQLite's. SQLite does not say
// whether an unknown operand is a column of another table, as in a join, or a variable.
// `is_only_table`: no operand is a column.
int choose_plan(sqlite3_index_info* info, const Table& table, bool is_only_table);

}  // namespace tracebraid
