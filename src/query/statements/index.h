// CREATE PERFETTO INDEX and DROP PERFETTO INDEX (spec sql-dialect 2.8).
#pragma once

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/compile/source_map.h"
#include "query/statements/parse.h"

namespace tracebraid {

// An index of several columns is one of the first column. Errors have a traceback.
Result<> create_index(ConnectionState& connection, const SqlText& sql,
                      const ParsedStatement& statement);
Result<> drop_index(ConnectionState& connection, const SqlText& sql,
                    const ParsedStatement& statement);

}  // namespace tracebraid
