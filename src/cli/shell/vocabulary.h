// The words that completion in the shell takes from the trace and the system.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/connection.h"

namespace tracebraid {

// Returns the functions of SQLite and ours, without internal ones and operators.
std::vector<std::string> sql_functions(TraceConnection& connection);

// Returns the values that complete the argument of a command of the shell; `word` is its beginning.
std::vector<std::string> values_of(std::string_view command, std::string_view word,
                                   std::span<const RelationInfo> relations);

}  // namespace tracebraid
