// Estimates the rows that a scan reads and returns, for SQLite's planner, from samples of the data.
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
  double rows;  // rows that satisfy all terms
  double cost;  // in rows read by a plain scan
  bool unique;  // at most one row, found directly
};

Estimate estimate(const Table& table, std::span<const KnownTerm> terms);

}  // namespace tracebraid
