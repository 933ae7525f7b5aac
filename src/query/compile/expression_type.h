// Determines the type of a SQL expression from its text, before any row is read.
#pragma once

#include <functional>
#include <string_view>

#include "column/column.h"
#include "query/batch/record_batch.h"
#include "query/compile/outside.h"

namespace tracebraid {

// The type of an expression's values, besides NULL.
struct ValueType {
  DataType type = DataType::Unknown;  // Null: there are only NULLs
  // Whether all values have the type. An integer that overflows becomes REAL; and integers may be
  // among reals.
  bool is_certain = true;
  friend bool operator==(const ValueType&, const ValueType&) = default;
};

// Returns the type of a stored column. `text` is that of texts: Dictionary or Utf8.
DataType data_type(SqlType type, DataType text);

// Returns the type that takes the values of both; Unknown if none does.
ValueType common_type(const ValueType& a, const ValueType& b);

// What the types of expressions depend on.
struct ExpressionNames {
  std::function<ValueType(Tokens)> column;    // of `name`, `table.name` or `schema.table.name`
  std::function<ValueType(Tokens)> subquery;  // of a SELECT without its brackets
  // The result that one of our functions declares; Unknown for others and for ANY.
  std::function<DataType(std::string_view function, size_t arguments)> declared;
  DataType text = DataType::Utf8;  // the type of texts: Dictionary or Utf8
};

// Unknown if the type depends on rows, or the expression is nested deeply. Knows operators, CASE,
// CAST, literals, columns, subqueries, and SQLite's functions, aggregates and window functions.
ValueType expression_type(Tokens tokens, const ExpressionNames& names, int depth = 0);

}  // namespace tracebraid
