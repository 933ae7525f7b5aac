// The tables and views that each connection begins with.
#pragma once

#include <sqlite3.h>

#include <string_view>

#include "base/result.h"
#include "query/scan/virtual_table.h"

namespace tracebraid {

// Adds a virtual table for each raw table of the module, with its name, and what the statements of
// `prelude` create. The schema must be empty and allow PRAGMA writable_schema, and the modules of
// the tables must be registered. Error: a statement of the prelude is wrong.
Result<> make_schema(sqlite3* db, TableModule& module, std::string_view prelude);

}  // namespace tracebraid
