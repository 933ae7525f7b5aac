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

// Which values a type must take.
enum class TypesOf : uint8_t {
  StoredColumns,  // only columns of our own tables have types
  AllRows,        // a type is Unknown unless it takes each value that there can be
  MostRows,       // the same, but arithmetic of integers gives integers, which may overflow, and
                  // integers among reals are reals
};

// Returns the columns of these names. `text` is the type of texts: Dictionary or Utf8. A type is
// Unknown if it depends on the rows. Known are columns of our own tables, also through views,
// joins, subqueries and UNION, and what they mean; and expressions (expression_type.h).
std::vector<Field> result_fields(ConnectionState& connection, sqlite3_stmt* compiled,
                                 std::string_view sql, std::span<const std::string> names,
                                 DataType text, TypesOf types = TypesOf::AllRows);
// Sets what the values of a stored column mean.
void describe_column(const ConnectionState& connection, const Table& table,
                     const ColumnView& column, Field& field);

// Gives fields the types that a caller declared for their names.
void set_declared_types(std::span<const Field> declared, std::vector<Field>& fields);

}  // namespace tracebraid
