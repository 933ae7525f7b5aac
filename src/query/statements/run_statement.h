// Runs the statements of the dialect (spec sql-dialect 2).
//
// Input: the text of a statement after the expansion of macros. Output: objects of the session.
// Called by Script, between statements of SQLite.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/compile/dialect.h"
#include "query/compile/source_map.h"
#include "query/functions/sql_function.h"

namespace tracebraid {

// An Error has a traceback.
Result<> run_statement(ConnectionState& connection, const SqlText& sql, Statement kind);

// Runs the modules of the package `prelude`.
Result<> run_prelude(ConnectionState& connection);

}  // namespace tracebraid
