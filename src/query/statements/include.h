// INCLUDE PERFETTO MODULE (spec sql-dialect 2.9).
#pragma once

#include <string_view>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/compile/source_map.h"

namespace tracebraid {

// Runs the modules that `key` names, each once for a connection. `sql` is the statement. Errors
// have a traceback.
Result<> include(ConnectionState& connection, const SqlText& sql, std::string_view key);

// Runs the modules of the package `prelude`.
Result<> run_prelude(ConnectionState& connection);

}  // namespace tracebraid
