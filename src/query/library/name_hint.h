// Hints for names that SQL does not find.
//
// Input: the message of SQLite or of the macros. Output: a phrase for Error::hint.
#pragma once

#include <sqlite3.h>

#include <string>
#include <string_view>

#include "query/macros/macro.h"

namespace tracebraid {

// Returns where a table, column, function or macro is, or which one has nearly this name. Looks in
// the handle, `macros` and the standard library; for a column in the tables that `statement` names.
// Empty if `message` is about something else or nothing is near. Runs statements on the handle,
// which forgets its last error.
std::string name_hint(sqlite3* db, const MacroSet& macros, std::string_view statement,
                      std::string_view message);

}  // namespace tracebraid
