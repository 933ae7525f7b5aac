// Determines the types of the columns of a SELECT from its text, before any row is read.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/compile/expression_type.h"
#include "query/functions/table_function.h"

namespace tracebraid {

struct TypedColumn {
  std::string name;  // as other statements call it; empty: an expression without alias
  ValueType type;
  friend bool operator==(const TypedColumn&, const TypedColumn&) = default;
};
using TypedColumns = std::vector<TypedColumn>;

// What the names in a SELECT mean.
struct SelectNames {
  // The columns of a table, of which those of our own tables have types. Nothing: unknown name.
  std::function<std::optional<TypedColumns>(std::string_view name)> table;
  // The text of CREATE VIEW; empty: there is no such view.
  std::function<std::string(std::string_view name)> view;
  // Null: unknown name.
  std::function<const TableFunction*(std::string_view name)> table_function;
  std::function<DataType(std::string_view function, size_t arguments)> declared;
  DataType text = DataType::Utf8;  // the type of texts: Dictionary or Utf8
};

// Follows columns through subqueries, WITH, views, joins and UNION. `sql` is one statement that
// SQLite has compiled. Nothing for one that is no SELECT, nested deeply or longer than a statement
// that is written by hand.
std::optional<TypedColumns> select_types(std::string_view sql, const SelectNames& catalog);

}  // namespace tracebraid
