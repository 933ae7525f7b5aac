// The rows of a query as the body of an answer, in the format that the client accepts.
#pragma once

#include <optional>
#include <string_view>

#include "engine/connection.h"
#include "server/api/query_run.h"
#include "server/http/message.h"
#include "server/work/spool.h"

namespace tracebraid::api {

enum class RowFormatKind : uint8_t { Json, Ndjson, Csv, Arrow };

// Returns the format of a header Accept; nothing if none of its types is known. An empty header
// accepts JSON.
std::optional<RowFormatKind> accepted_format(std::string_view accept);
std::string_view content_type(RowFormatKind format);

// Runs the statements and responds: with the rows, or with the problem if there is none yet. JSON
// and NDJSON have the rows of all statements, CSV those of the last one that returns rows, Arrow
// those of the only one. Returns how the query ended. `spool` keeps rows that may be the last.
Result<> answer_rows(TraceConnection& connection, const QueryOptions& options, QueryRun& run,
                     RowFormatKind format, Spool& spool, const http::Responder& responder);

}  // namespace tracebraid::api
