// Plan: what a scan is asked to do, agreed with SQLite when a statement is
// compiled and carried out each time it runs. EXPLAIN QUERY PLAN shows its text:
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
  bool constant;  // the operand is written in the query; otherwise it comes from elsewhere
};

enum class Arrangement : uint8_t {
  RowOrder,
  Reversed,    // last row first
  Descending,  // by the sorted column keys[0]; ties in row order
  Sorted,      // by `keys`
};

struct Plan {
  std::vector<PlanTerm>
      terms;  // term i has argument i; IS NULL and IS NOT NULL one that is ignored
  Arrangement arrangement = Arrangement::RowOrder;
  std::vector<SortKey> keys;
  // Arguments behind those of the terms: no more rows than that will be asked for, and before
  // those so many are passed over. The limit may be negative, which is none.
  bool has_limit = false, has_offset = false;
};

std::string text_of(const Plan& plan);
// The plan that has this text; `text` must come from text_of().
Plan plan_of(std::string_view text, const Table& table);

}  // namespace tracebraid
