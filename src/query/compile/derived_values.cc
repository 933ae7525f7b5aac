#include "query/compile/derived_values.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tracebraid {
namespace {

constexpr size_t kRowsPerCheck = 256;
constexpr size_t kBlockRows = 1024;

// Calls visit(i, cell) for the values of rows from `first` on. Returns false if visit does, if a
// value cannot be read, or if stopped.
template <class Visit>
bool for_each_argument(const ColumnView& column, size_t first, size_t count, const StopCheck& stop,
                       Visit visit) {
  Values values;
  if (!read_values(column, {nullptr, static_cast<uint32_t>(first), count}, values)) return false;
  const Domain domain = domain_read(column);
  for (size_t i = 0; i < count; ++i) {
    if (i % kRowsPerCheck == 0 && stop.stopped()) return false;
    const bool is_null = values[i] < domain.min || values[i] > domain.max;
    if (!visit(i, is_null ? Cell::null() : Cell::of(values[i]))) return false;
  }
  return true;
}

// Calls visit(begin, values) for blocks of `count` rows from `first` on, which `begin` counts from
// 0. Returns false if visit does, if a value cannot be read, or if stopped.
template <class Visit>
bool for_each_read(const ColumnView& column, size_t first, size_t count, const StopCheck& stop,
                   Visit visit) {
  Values values;
  for (size_t begin = 0; begin < count; begin += kBlockRows) {
    const size_t rows = std::min(kBlockRows, count - begin);
    if (stop.stopped() ||
        !read_values(column, {nullptr, static_cast<uint32_t>(first + begin), rows}, values) ||
        !visit(begin, std::span<const int64_t>(values)))
      return false;
  }
  return true;
}

// Evaluates blocks of rows with `call_for_integers`.
DerivedColumn::Evaluate integer_results_of(const SqlFunction& function, const ColumnView& column,
                                           std::vector<Cell> constants, const StopCheck& stop) {
  return [&function, &column, &stop, constants = std::move(constants)](
             size_t first, std::span<int64_t> values, std::span<bool> valid) {
    Values results;
    for (size_t begin = 0; begin < values.size(); begin += kBlockRows) {
      const size_t rows = std::min(kBlockRows, values.size() - begin);
      if (stop.stopped() || !call_for_rows(function, column, constants,
                                           {nullptr, static_cast<uint32_t>(first + begin), rows},
                                           results, valid.subspan(begin, rows)))
        return false;
      std::ranges::copy(results, values.begin() + static_cast<ptrdiff_t>(begin));
    }
    return true;
  };
}

}  // namespace

bool call_for_rows(const SqlFunction& function, const ColumnView& column,
                   std::span<const Cell> constants, const Scan::Rows& rows, Values& values,
                   std::span<bool> valid) {
  if (!read_values(column, rows, values)) return false;
  const Domain domain = domain_read(column);
  for (size_t i = 0; i < rows.count; ++i)
    valid[i] = domain.min <= values[i] && values[i] <= domain.max;
  return function.call_for_integers(constants, values, valid);
}

DerivedColumn::Evaluate results_of(const SqlFunction& function, const ColumnView& column,
                                   std::vector<Cell> constants, bool needs_integers,
                                   const StopCheck& stop) {
  if (needs_integers && function.call_for_integers != nullptr)
    return integer_results_of(function, column, std::move(constants), stop);
  return [&function, &column, &stop, constants = std::move(constants), needs_integers](
             size_t first, std::span<int64_t> values, std::span<bool> valid) {
    std::vector<Cell> arguments(1);
    arguments.insert(arguments.end(), constants.begin(), constants.end());
    return for_each_argument(column, first, values.size(), stop, [&](size_t i, const Cell& cell) {
      arguments[0] = cell;
      const Result<Cell> result = function.call(arguments);
      if (!result) return false;
      valid[i] = result->kind != Cell::Kind::Null;
      values[i] = needs_integers ? result->integer : 0;
      return !needs_integers || !valid[i] || result->kind == Cell::Kind::Int;
    });
  };
}

DerivedColumn::Evaluate row_counts_of(const TableFunction& function, const ColumnView& column,
                                      const StopCheck& stop) {
  return [&](size_t first, std::span<int64_t> values, std::span<bool> valid) {
    const std::unique_ptr<TableFunctionRows> rows = function.open();
    rows->stop = &stop;
    std::ranges::fill(valid, true);
    return for_each_argument(column, first, values.size(), stop, [&](size_t i, const Cell& cell) {
      if (!rows->call(std::span(&cell, 1))) return false;
      values[i] = 0;
      for (;;) {
        const Result<size_t> count = rows->next_chunk();
        if (!count || stop.requested()) return false;
        if (*count == 0) return true;
        values[i] += static_cast<int64_t>(*count);
      }
    });
  };
}

DerivedColumn::Evaluate row_counts_of(const JoinedCounts& joined, const ColumnView& column,
                                      const StopCheck& stop) {
  return [&](size_t first, std::span<int64_t> values, std::span<bool> valid) {
    std::ranges::fill(valid, true);
    const Domain domain = domain_read(column);
    return for_each_read(column, first, values.size(), stop,
                         [&](size_t begin, std::span<const int64_t> read) {
                           for (size_t i = 0; i < read.size(); ++i) {
                             const bool is_null = read[i] < domain.min || read[i] > domain.max;
                             values[begin + i] = is_null ? 0 : joined.of(read[i]);
                           }
                           return true;
                         });
  };
}

}  // namespace tracebraid
