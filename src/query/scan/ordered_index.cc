#include "query/scan/ordered_index.h"

#include <algorithm>

#include "query/scan/column_values.h"
#include "query/scan/large_vector.h"
#include "query/scan/row_order.h"

namespace tracebraid {

// Sorts stably by the last column, then by the one before it, and so on.
std::optional<OrderedIndex> OrderedIndex::build(std::vector<const ColumnView*> columns, size_t rows,
                                                const StopCheck& stop) {
  constexpr uint64_t kSign = uint64_t{1} << 63;
  OrderedIndex index;
  std::vector<KeyedRow> keyed;
  if (!set_size(keyed, rows, stop)) return std::nullopt;
  const auto for_each = [&](auto body) {
    return for_each_block(rows, stop, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) body(i);
    });
  };
  if (!for_each([&](size_t i) { keyed[i].row = static_cast<uint32_t>(i); })) return std::nullopt;
  for (size_t i = columns.size(); i-- > 0;) {
    const bool is_read = visit_integers(*columns[i], [&](auto values) {
      return for_each(
          [&](size_t at) { keyed[at].key = static_cast<uint64_t>(values[keyed[at].row]) ^ kSign; });
    });
    if (!is_read || !sort_by_key(keyed, stop)) return std::nullopt;
  }
  if (!set_size(index.rows_, rows, stop)) return std::nullopt;
  if (!for_each([&](size_t i) { index.rows_[i] = keyed[i].row; })) return std::nullopt;
  index.columns_ = std::move(columns);
  return index;
}

std::span<const uint32_t> OrderedIndex::rows_of(std::span<const Bound> bounds) const {
  std::span<const uint32_t> rows = rows_;
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (bounds[i].low > bounds[i].high) return {};
    visit_integers(*columns_[i], [&](auto values) {
      const auto value = [&](uint32_t row) -> int64_t { return values[row]; };
      const auto first = std::ranges::lower_bound(rows, bounds[i].low, {}, value);
      const auto last = std::ranges::upper_bound(first, rows.end(), bounds[i].high, {}, value);
      rows = std::span(first, last);
    });
  }
  return rows;
}

}  // namespace tracebraid
