// Parameters: values that a caller binds to the variables of a statement.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "column/cell.h"

struct sqlite3_stmt;

namespace tracebraid {

// A value with its own copy of texts and bytes.
struct Parameter {
  std::string name;  // of :name, @name, $name, with or without the sign; empty: by position
  Cell::Kind kind = Cell::Kind::Null;
  int64_t integer = 0;
  double real = 0;
  std::string text;

  static Parameter of(const Cell& cell, std::string_view name = {}) {
    return {std::string(name), cell.kind, cell.integer, cell.real, std::string(cell.text)};
  }
  // Borrows the text.
  Cell cell() const { return {kind, integer, real, text}; }
};

// The values of a statement's variables, by SQLite's numbers of them, from 1: values[0] is of ?1.
// ?N takes the Nth of the parameters without a name, a ? that of its number. Without any
// parameters all are NULL; otherwise a variable without a value is an Error (Usage). The cells
// borrow from `parameters`.
Result<std::vector<Cell>> values_of_variables(sqlite3_stmt* statement,
                                              std::span<const Parameter> parameters);

// An Error (Usage) if a parameter has a name that no variable of the text has.
Result<> check_names(std::string_view sql, std::span<const Parameter> parameters);

// Sets the variables of a statement whose numbers are those of `values`. Copies texts.
void bind_all(sqlite3_stmt* statement, std::span<const Cell> values);

// The text of a statement with each variable as ?N, N its number in `statement`, which is the
// same text compiled. Parts of the text may then be left out or moved.
std::string with_numbered_variables(std::string_view sql, sqlite3_stmt* statement);

}  // namespace tracebraid
