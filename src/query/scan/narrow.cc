#include "query/scan/narrow.h"

#include <algorithm>
#include <limits>

#include "query/scan/column_values.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

// Number of rows below which a scan is as fast as a search.
constexpr size_t kFewRows = 64;
// Number of full scans before an index is built, which costs memory and the time of several scans.
// An export reads each view twice.
constexpr uint64_t kScansBefore = 3;

// Returns the first row of the range for which `is_past` holds. Requires: it holds for all later
// rows, too.
template <class Test>
size_t first_row(RowRange range, Test is_past) {
  while (range.begin < range.end) {
    const size_t middle = range.begin + (range.end - range.begin) / 2;
    if (is_past(middle))
      range.end = middle;
    else
      range.begin = middle + 1;
  }
  return range.begin;
}

RowRange search_integers(const ColumnView& column, int64_t low, int64_t high, RowRange range) {
  if (column.type == CellType::RowNumber) {
    const size_t begin = std::max(range.begin, static_cast<size_t>(low));
    const size_t end = std::min(range.end, static_cast<size_t>(high) + 1);
    return {std::min(begin, end), end};
  }
  return visit_integers(column, [&](auto values) {
    const size_t begin = first_row(range, [&](size_t row) { return values[row] >= low; });
    const size_t end =
        first_row({begin, range.end}, [&](size_t row) { return values[row] > high; });
    return RowRange{begin, end};
  });
}

bool narrow_computed(const Predicate& predicate, const Table& table, RowRange& range) {
  const ColumnView& column = *predicate.column;
  const Cell& operand = predicate.operands.front();
  const auto at_least = [&](size_t row) {
    return compare(cell(column, row, table.strings()), operand) >= 0;
  };
  const auto above = [&](size_t row) {
    return compare(cell(column, row, table.strings()), operand) > 0;
  };
  switch (predicate.op) {
    case Op::Eq:
    case Op::Is:
      range.begin = first_row(range, at_least);
      range.end = first_row(range, above);
      return true;
    case Op::Lt:
      range.end = first_row(range, at_least);
      return true;
    case Op::Le:
      range.end = first_row(range, above);
      return true;
    case Op::Gt:
      range.begin = first_row(range, above);
      return true;
    case Op::Ge:
      range.begin = first_row(range, at_least);
      return true;
    default:
      return false;
  }
}

// Returns the bounds of the first columns: single values, then perhaps a range.
std::vector<OrderedIndex::Bound> bounds_of(std::span<const ColumnView* const> columns,
                                           std::span<const Predicate> predicates) {
  std::vector<OrderedIndex::Bound> bounds;
  for (const ColumnView* const& column : columns) {
    OrderedIndex::Bound bound{std::numeric_limits<int64_t>::min(),
                              std::numeric_limits<int64_t>::max()};
    bool is_bound = false;
    for (const Predicate& predicate : predicates) {
      if (!is_served(predicate, {&column, 1})) continue;
      bound = {std::max(bound.low, predicate.low), std::min(bound.high, predicate.high)};
      is_bound = true;
    }
    if (is_bound) bounds.push_back(bound);
    if (!is_bound || bound.low != bound.high) break;
  }
  return bounds;
}

}  // namespace

bool narrow_range(const Predicate& predicate, const Table& table, RowRange& range) {
  if (!is_searchable(*predicate.column)) return false;
  if (predicate.kind == Predicate::Kind::CellTest) return narrow_computed(predicate, table, range);
  if (predicate.kind != Predicate::Kind::IntegerInside) return false;
  range = search_integers(*predicate.column, predicate.low, predicate.high, range);
  return true;
}

size_t first_equal(const ColumnView& column, RowRange range, const StringPool& strings) {
  size_t equal = range.end - 1;  // the first row that is known to have the value
  const Cell value = cell(column, equal, strings);
  const auto is_equal = [&](size_t row) { return compare(cell(column, row, strings), value) == 0; };
  size_t step = 1;
  for (; step <= equal - range.begin && is_equal(equal - step); step *= 2) equal -= step;
  const bool has_other = step <= equal - range.begin;
  return first_row({has_other ? equal - step + 1 : range.begin, equal}, is_equal);
}

bool is_served(const Predicate& predicate, std::span<const ColumnView* const> columns) {
  return predicate.kind == Predicate::Kind::IntegerInside &&
         std::ranges::find(columns, predicate.column) != columns.end();
}

IndexedRows rows_of_ordered_index(const Table& table, std::span<const Predicate> predicates,
                                  size_t range_rows) {
  constexpr size_t kRowsPerListed = 16;  // scanned in the time of sorting and reading one
  IndexedRows best;
  for (const Predicate& first : predicates) {
    if (first.kind != Predicate::Kind::IntegerInside || is_searchable(*first.column)) continue;
    const auto* const indexes = table.study(*first.column).ordered_indexes();
    if (indexes == nullptr) continue;
    for (const auto& index : *indexes) {
      const std::vector<OrderedIndex::Bound> bounds = bounds_of(index->columns(), predicates);
      // A single value has an index of its own.
      const bool is_single = bounds.size() == 1 && bounds[0].low == bounds[0].high;
      if (is_single || bounds.size() <= best.columns.size()) continue;
      const std::span<const uint32_t> rows = index->rows_of(bounds);
      if (rows.size() <= range_rows / kRowsPerListed)
        best = {rows, index->columns().first(bounds.size())};
    }
  }
  return best;
}

std::vector<uint32_t> rows_in_set(const Predicate& predicate, RowRange range) {
  std::vector<uint32_t> rows;
  for (const int64_t value : predicate.set) {
    const auto row = static_cast<size_t>(value);
    if (row >= range.begin && row < range.end) rows.push_back(static_cast<uint32_t>(row));
  }
  return rows;
}

const RowIndex* index_for(const Table& table, const ColumnView& column, size_t rows,
                          const StopCheck& stop) {
  if (rows < kFewRows || !holds_integers(column) || is_searchable(column)) return nullptr;
  ColumnStudy& study = table.study(column);
  if (const RowIndex* index = study.index()) return index;
  const bool is_rare = study.add_scanned_rows(rows) < kScansBefore * table.rows();
  return is_rare ? nullptr : study.build_index(column, table.rows(), stop);
}

}  // namespace tracebraid
