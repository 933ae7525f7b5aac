// Types and meanings of a statement's result columns, determined before it runs.
#pragma once

#include <sqlite3.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/batch/record_batch.h"
#include "query/compile/connection_state.h"

namespace tracebraid {

// Returns the columns of these names. `text` is the type of texts: Dictionary or Utf8. A type is
// Unknown if it depends on the rows. Known are columns of our own tables, also through views and
// joins, and what they mean; count, total, avg, sum, min and max of such columns; CAST,
// comparisons, ||, literals, and calls of our functions, by their signatures.
std::vector<Field> result_fields(ConnectionState& connection, sqlite3_stmt* compiled,
                                 std::string_view sql, std::span<const std::string> names,
                                 DataType text);
// Sets what the values of a stored column mean.
void describe_column(const ConnectionState& connection, const Table& table,
                     const ColumnView& column, Field& field);

DataType data_type(SqlType type, DataType text);

// Gives fields the types that a caller declared for their names.
void set_declared_types(std::span<const Field> declared, std::vector<Field>& fields);

}  // namespace tracebraid
