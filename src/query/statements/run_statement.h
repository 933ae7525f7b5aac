// Runs the statements of the dialect (spec sql-dialect 2).
//
// Input: the text of a statement after the expansion of macros. Output: objects of the session.
// Called by Script, between statements of SQLite.
#pragma once

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/compile/dialect.h"
#include "query/compile/source_map.h"

namespace tracebraid {

// An Error has a traceback.
Result<> run_statement(ConnectionState& connection, const SqlText& sql, Statement kind);

}  // namespace tracebraid
