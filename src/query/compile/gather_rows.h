// gather_rows: runs a SELECT for an operator of the running statement.
#pragma once

#include <span>
#include <string_view>

#include "query/compile/connection_state.h"
#include "query/operators/gathered.h"

namespace tracebraid {

// Reads the rows of one stored table column by column if the statement is a projection of it, else
// row by row. Errors: Sql with the message of SQLite, those of the connection's stop, Limit.
Result<GatheredRows> gather_rows(ConnectionState& connection, std::string_view sql,
                                 std::span<const Cell> values);

}  // namespace tracebraid
