// Cells and SQLite's values: the same five kinds, compared by the same rules.
#pragma once

#include <sqlite3.h>

#include <compare>

#include "column/column.h"

namespace tracebraid {

// Borrows text and bytes: valid while the value is.
Cell cell_of(sqlite3_value* value);

// Text is copied if `copy`; otherwise it must outlive the statement.
void set_result(sqlite3_context* context, const Cell& cell, bool copy);

// SQLite's order without collations: NULL, then numbers, text, blobs. Integers
// and reals compare by exact value.
std::strong_ordering compare(const Cell& a, const Cell& b);

// The smallest double that is at least `value`, and the largest that is at most.
double double_at_least(int64_t value);
double double_at_most(int64_t value);

// What NUMERIC affinity makes of a value: text that reads as a number becomes
// that number, everything else stays.
Cell with_numeric_affinity(const Cell& cell);

}  // namespace tracebraid
