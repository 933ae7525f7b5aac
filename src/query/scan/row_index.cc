#include "query/scan/row_index.h"

#include <algorithm>

#include "query/scan/column_values.h"
#include "query/scan/large_vector.h"
#include "query/scan/row_order.h"

namespace tracebraid {
namespace {

constexpr uint64_t kSign = uint64_t{1} << 63;

// Returns the lowest and highest value except NULL; the lowest is above the highest if all are
// NULL. Returns nothing if stopped.
std::optional<Domain> extent_of(const ColumnView& column, size_t rows, const StopCheck& stop) {
  const Domain domain = domain_of(column);
  Domain extent{domain.max, domain.min};
  const bool done = visit_integers(column, [&](auto values) {
    return for_each_block(rows, stop, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row) {
        const int64_t value = values[row];
        if (value < domain.min || value > domain.max) continue;
        extent = {std::min(extent.min, value), std::max(extent.max, value)};
      }
    });
  });
  return done ? std::optional(extent) : std::nullopt;
}

}  // namespace

std::optional<RowIndex> RowIndex::build(const ColumnView& column, size_t rows,
                                        const StopCheck& stop) {
  RowIndex index;
  const Domain domain = domain_of(column);
  const std::optional<Domain> extent = extent_of(column, rows, stop);
  if (!extent) return std::nullopt;
  if (extent->min > extent->max) return index;
  const bool dense = extent->min >= 0 && extent->max < static_cast<int64_t>(4 * rows + 1024);
  if (dense) {
    if (!index.build_dense(column, rows, extent->max, stop)) return std::nullopt;
    return index;
  }
  std::vector<KeyedRow> keyed;
  reserve_in_huge_pages(keyed, rows);
  const bool read = visit_integers(column, [&](auto values) {
    return for_each_block(rows, stop, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row)
        if (values[row] >= domain.min && values[row] <= domain.max)
          keyed.push_back({static_cast<uint64_t>(values[row]) ^ kSign, static_cast<uint32_t>(row)});
    });
  });
  if (!read || !sort_by_key(keyed, stop)) return std::nullopt;
  reserve_in_huge_pages(index.rows_, keyed.size());
  reserve_in_huge_pages(index.values_, keyed.size());
  const bool is_done = for_each_block(keyed.size(), stop, [&](size_t begin, size_t end) {
    for (const auto& [key, row] : std::span(keyed).subspan(begin, end - begin)) {
      const auto value = static_cast<int64_t>(key ^ kSign);
      if (index.values_.empty() || index.values_.back() != value) ++index.distinct_;
      index.values_.push_back(value);
      index.rows_.push_back(row);
    }
  });
  if (!is_done) return std::nullopt;
  return index;
}

// Counts each value, then appends each row to the earlier rows of its value.
bool RowIndex::build_dense(const ColumnView& column, size_t rows, int64_t max,
                           const StopCheck& stop) {
  const auto values_end = static_cast<size_t>(max) + 1;
  if (!set_size(starts_, values_end + 1, stop)) return false;
  return visit_integers(column, [&](auto values) {
    const auto in_range = [&](int64_t value) { return value >= 0 && value <= max; };
    const bool counted = for_each_block(rows, stop, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row)
        if (in_range(values[row])) ++starts_[static_cast<size_t>(values[row]) + 1];
    });
    const bool summed = counted && for_each_block(values_end, stop, [&](size_t begin, size_t end) {
                          for (size_t value = begin; value < end; ++value) {
                            distinct_ += starts_[value + 1] != 0 ? 1 : 0;
                            starts_[value + 1] += starts_[value];
                          }
                        });
    if (!summed) return false;
    std::vector<uint32_t> next;
    if (!copy_values(std::span<const uint32_t>(starts_).first(values_end), next, stop) ||
        !set_size(rows_, starts_.back(), stop))
      return false;
    return for_each_block(rows, stop, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row)
        if (in_range(values[row]))
          rows_[next[static_cast<size_t>(values[row])]++] = static_cast<uint32_t>(row);
    });
  });
}

std::span<const uint32_t> RowIndex::rows_of(int64_t value) const {
  const auto part = [&](size_t begin, size_t end) {
    return std::span(rows_).subspan(begin, end - begin);
  };
  if (!starts_.empty()) {
    if (value < 0 || value >= static_cast<int64_t>(starts_.size()) - 1) return {};
    const auto at = static_cast<size_t>(value);
    return part(starts_[at], starts_[at + 1]);
  }
  const auto [first, last] = std::equal_range(values_.begin(), values_.end(), value);
  return part(static_cast<size_t>(first - values_.begin()),
              static_cast<size_t>(last - values_.begin()));
}

}  // namespace tracebraid
