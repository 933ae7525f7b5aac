// Views of stored rows: filtered and sorted row numbers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "server/api/stored_result.h"

namespace tracebraid::api {

// Row numbers of a result, in the order of the view; null for all rows in their order.
using RowOrder = std::shared_ptr<const std::vector<uint32_t>>;

// `sort`: names or numbers of columns, separated by commas, with '-' in front for descending order.
// `filter`: a JSON array of [column, operator, value], all of which a row must fulfil; operators
// are = != < <= > >= contains null notnull. Empty texts: all rows. Values compare as in SQLite.
// Errors: Usage, Cancelled.
Result<RowOrder> order_rows(const StoredRows& rows, std::string_view sort, std::string_view filter,
                            const Stop& stop);

}  // namespace tracebraid::api
