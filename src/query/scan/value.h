// Converts between cells and SQLite values, and compares cells by SQLite's rules.
#pragma once

#include <sqlite3.h>

#include <compare>

#include "column/column.h"

namespace tracebraid {

// Refers to text and bytes of the value, which must outlive the cell.
Cell cell_of(sqlite3_value* value);

// Text is copied if `copy`; otherwise it must outlive the statement.
void set_result(sqlite3_context* context, const Cell& cell, bool copy);

// Compares in SQLite's order without collations: NULL, numbers, texts, blobs. Integers and reals
// compare by exact value.
std::strong_ordering compare(const Cell& a, const Cell& b);

// Return the smallest double >= `value`, and the largest double <= `value`.
double double_at_least(int64_t value);
double double_at_most(int64_t value);

// Applies NUMERIC affinity: converts a text that is a number; other values are unchanged.
Cell with_numeric_affinity(const Cell& cell);

}  // namespace tracebraid
