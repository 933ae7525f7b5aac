// Writers of rows by the name of a format.
#pragma once

#include <memory>
#include <string_view>

#include "engine/connection.h"
#include "engine/rows.h"

namespace tracebraid::api {

inline constexpr std::string_view kArrowType = "application/vnd.apache.arrow.stream";

// Returns a writer of one result set: csv, tsv, json, ndjson, or an Arrow stream of this schema.
// `out` must outlive it. end() writes the end of an Arrow stream.
std::unique_ptr<BatchSink> make_row_sink(std::string_view format,
                                         const std::shared_ptr<const Schema>& schema, Output& out);

}  // namespace tracebraid::api
