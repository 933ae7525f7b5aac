// Estimates of how many rows a scan reads and gives, for SQLite's planner. They
// come from samples of the data itself.
#pragma once

#include <optional>

#include "query/scan/plan.h"
#include "query/scan/table.h"

namespace tracebraid {

// A term of a plan, with its operand if that is known when the query is compiled.
struct KnownTerm {
  PlanTerm term;
  std::optional<Cell> operand;
};

struct Estimate {
  double rows;  // that satisfy all terms
  double cost;  // in rows read by a plain scan
  bool unique;  // at most one row, found directly
};

Estimate estimate(const Table& table, std::span<const KnownTerm> terms);

}  // namespace tracebraid
