// Chooses the filters and the order of a statement that the scan of a table takes over.
#pragma once

#include <sqlite3.h>

#include "query/scan/table.h"

namespace tracebraid {

// Implements xBestIndex: sets the outputs of `info`. Returns an SQLite code. SQLite does not say
// whether an unknown operand is a column of another table, as in a join, or a variable.
// `is_only_table`: no operand is a column. `is_typed`: the columns are declared with their types;
// otherwise only comparisons with constants of the same kind are taken over, because SQLite
// converts no value for the others.
int choose_plan(sqlite3_index_info* info, const Table& table, bool is_only_table, bool is_typed);

}  // namespace tracebraid
