#include "query/scan/estimate.h"

#include <algorithm>
#include <cmath>

#include "query/scan/column_values.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

// Cost of evaluating a predicate for one row, relative to passing the row to SQLite.
constexpr double kTestCost = 0.1;
// Cost of looking up single rows repeatedly, relative to scanning them.
constexpr double kLookupCost = 4;
constexpr double kListLength = 8;  // assumed length of IN (...), which is not known

// Returns how often each value of the column occurs in the sample.
std::vector<size_t> sampled_counts(const Table& table, const ColumnView& column) {
  std::vector<Cell> cells;
  for (const uint32_t row : table.sample()) cells.push_back(cell(column, row, table.strings()));
  std::sort(cells.begin(), cells.end(),
            [](const Cell& a, const Cell& b) { return compare(a, b) < 0; });
  std::vector<size_t> counts;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i == 0 || compare(cells[i - 1], cells[i]) != 0) counts.push_back(0);
    ++counts.back();
  }
  return counts;
}

// Estimates the number of distinct values: those in the sample, plus an estimate from the rare ones
// (Chao's estimator: once^2 / (2 * twice)). If no value repeats, every row is assumed to have a
// value of its own.
double estimated_values(const Table& table, const ColumnView& column, double rows) {
  const std::vector<size_t> counts = sampled_counts(table, column);
  const auto once = static_cast<double>(std::count(counts.begin(), counts.end(), 1));
  const auto twice = static_cast<double>(std::count(counts.begin(), counts.end(), 2));
  const auto seen = static_cast<double>(counts.size());
  const bool sampled_all = table.sample().size() == table.rows();
  double values = seen;
  if (!sampled_all && once != 0) values = twice == 0 ? rows : seen + once * once / (2 * twice);
  return std::clamp(values, 1.0, rows);
}

double distinct_values(const Table& table, const ColumnView& column) {
  const double rows = std::max<double>(1, static_cast<double>(table.rows()));
  if (column.type == CellType::RowNumber) return rows;
  return table.study(column).distinct([&] { return estimated_values(table, column, rows); });
}

// Returns the share of the sample that satisfies a term with a known operand.
double sampled_share(const Table& table, const KnownTerm& known) {
  std::vector<Predicate> predicates;
  const Constraint constraint{known.term.column, known.term.op, {&*known.operand, 1}};
  if (!compile(constraint, table.strings(), predicates)) return 0;
  std::vector<uint32_t> rows(table.sample().begin(), table.sample().end());
  for (const Predicate& predicate : predicates)
    rows.resize(keep_rows(predicate, table.strings(), rows));
  const auto hits = static_cast<double>(rows.size());
  return (hits + 0.5) / (static_cast<double>(table.sample().size()) + 1);
}

double share(const Table& table, const KnownTerm& known) {
  const auto& [column, op, constant] = known.term;
  const bool text_match = op == Op::Glob || op == Op::Like;
  const bool can_sample = !text_match || (known.operand && known.operand->kind == Cell::Kind::Text);
  switch (op) {
    case Op::Eq:
    case Op::Is:
      if (column->type == CellType::RowNumber || !known.operand)
        return 1 / distinct_values(table, *column);
      return std::max(sampled_share(table, known), 1 / distinct_values(table, *column));
    case Op::In:
      return std::min(0.5, kListLength / distinct_values(table, *column));
    default:
      if (known.operand && can_sample) return sampled_share(table, known);
      return op == Op::Ne || op == Op::IsNot ? 0.9 : 0.25;
  }
}

// Returns whether the scan finds the rows directly: by number, by search, or by an index of rows
// (which is built when a join searches repeatedly).
bool is_direct(const PlanTerm& term) {
  const bool equality = term.op == Op::Eq || term.op == Op::Is;
  if (is_searchable(*term.column))
    return equality || term.op == Op::In || term.op == Op::Lt || term.op == Op::Le ||
           term.op == Op::Gt || term.op == Op::Ge;
  return equality && !term.constant && holds_integers(*term.column);
}

}  // namespace

Estimate estimate(const Table& table, std::span<const KnownTerm> terms) {
  const auto all = static_cast<double>(table.rows());
  double read = all, kept = all, tests = 0, search = 0;
  bool unique = false;
  for (const KnownTerm& known : terms) {
    const double part = share(table, known);
    kept *= part;
    if (is_direct(known.term)) {
      read *= part;
      search = kLookupCost + std::log2(all + 2) / 4;
    } else {
      ++tests;
    }
    const bool equality = known.term.op == Op::Eq || known.term.op == Op::Is;
    unique = unique || (equality && known.term.column->type == CellType::RowNumber);
  }
  const double cost = search + (tests > 0 ? read * kTestCost * tests + kept : read);
  return {unique ? 1 : std::max(1.0, kept), unique ? kLookupCost : cost + 1, unique};
}

}  // namespace tracebraid
