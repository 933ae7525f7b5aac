// Hints for names that SQL does not find.
//
// Input: the message of SQLite or of the macros. Output: a phrase for Error::hint.
#pragma once

#include <string>
#include <string_view>

#include "query/compile/connection_state.h"

namespace tracebraid {

// Returns where a table, column, function or macro is, or which one has nearly this name. Looks in
// the connection and the standard library; for a column in the tables that `statement` names.
// Empty if `message` is about something else or nothing is near. Runs statements on the connection,
// whose handle forgets its last error.
std::string name_hint(const ConnectionState& connection, std::string_view statement,
                      std::string_view message);

}  // namespace tracebraid
