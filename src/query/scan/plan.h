// Plan: the filters, order and limit of a scan, chosen when SQLite compiles a statement and
// executed each time it runs. EXPLAIN QUERY PLAN shows its text:
//
//   ts >= const; track_id = ?; order by name desc, dur asc; limit ?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/scan/predicate.h"
#include "query/scan/row_order.h"
#include "query/scan/table.h"

namespace tracebraid {

struct PlanTerm {
  const ColumnView* column;
  Op op;
  bool constant;  // whether the operand is a constant of the query
};

enum class Arrangement : uint8_t {
  RowOrder,
  Reversed,    // last row first
  Descending,  // by the sorted column keys[0]; ties in row order
  Sorted,      // by `keys`
};

struct Plan {
  std::vector<PlanTerm> terms;  // term i has argument i; IS NULL and IS NOT NULL ignore theirs
  Arrangement arrangement = Arrangement::RowOrder;
  std::vector<SortKey> keys;
  // Whether the limit and the offset are arguments, after those of the terms. A negative limit is
  // none.
  bool has_limit = false, has_offset = false;
};

std::string text_of(const Plan& plan);
// Parses a plan. Requires: `text` is a result of text_of().
Plan plan_of(std::string_view text, const Table& table);

}  // namespace tracebraid
