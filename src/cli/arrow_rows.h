// Writes the rows of a query as an Arrow IPC stream, for `query --format arrow`.
#pragma once

#include <string_view>

#include "engine/connection.h"
#include "engine/rows.h"

namespace tracebraid {

// Runs SQL with exactly one result set and writes its rows. Ctrl-C ends the query.
Result<> write_arrow_rows(TraceConnection& connection, std::string_view sql, Output& out);

}  // namespace tracebraid
