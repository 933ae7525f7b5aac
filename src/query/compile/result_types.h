// The types of a statement's result columns, before any row is seen.
#pragma once

#include <sqlite3.h>

#include <span>
#include <string_view>
#include <vector>

#include "query/batch/record_batch.h"
#include "query/compile/connection_state.h"

namespace tracebraid {

// `text` is the type of texts: Dictionary or Utf8. Unknown: the type depends on the rows. Known
// are columns of our own tables, also through views and joins, and the expressions count, total,
// avg, sum, min and max of such columns, CAST, comparisons, ||, literals, and calls of our
// functions, whose signatures say it.
std::vector<DataType> result_types(const ConnectionState& connection, sqlite3_stmt* compiled,
                                   std::string_view sql, DataType text);

DataType data_type(SqlType type, DataType text);

// Gives fields the types that a caller declared for their names.
void set_declared_types(std::span<const Field> declared, std::vector<Field>& fields);

}  // namespace tracebraid
