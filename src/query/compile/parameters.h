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

// A value that owns its text or bytes.
struct Parameter {
  std::string name;  // of :name, @name, $name, with or without the sign; empty: bound by position
  Cell::Kind kind = Cell::Kind::Null;
  int64_t integer = 0;
  double real = 0;
  std::string text;

  static Parameter of(const Cell& cell, std::string_view name = {}) {
    return {std::string(name), cell.kind, cell.integer, cell.real, std::string(cell.text)};
  }
  // Returns a cell that borrows the text.
  Cell cell() const { return {kind, integer, real, text}; }
};

// Returns the values of a statement's variables by SQLite's numbers of them, from 1: values[0] is
// that of ?1. ?N takes the Nth parameter without a name, a ? the one with its number. Without any
// parameters all values are NULL; otherwise a variable without a value is an Error (Usage). The
// cells borrow from `parameters`.
Result<std::vector<Cell>> values_of_variables(sqlite3_stmt* statement,
                                              std::span<const Parameter> parameters);

// Returns an Error (Usage) if no variable of the text has the name of a parameter.
Result<> check_names(std::string_view sql, std::span<const Parameter> parameters);

// Binds the variables of a statement to `values`, by number. Copies texts.
void bind_all(sqlite3_stmt* statement, std::span<const Cell> values);

// Returns the text of a statement with each variable as ?N, where N is its number in `statement`,
// the same text compiled. Parts of the text may then be removed or moved.
std::string with_numbered_variables(std::string_view sql, sqlite3_stmt* statement);

}  // namespace tracebraid
