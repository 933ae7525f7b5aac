// Sorts row numbers by the values of columns.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/string_pool.h"
#include "column/column.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

struct SortKey {
  const ColumnView* column;
  bool descending;
};

// Sorts by the first key, ties by the second, and so on. Stable, also for descending keys. NULL is
// smallest; texts compare by bytes. Returns false if stopped; then the order is undefined.
bool sort_rows(std::vector<uint32_t>& rows, std::span<const SortKey> keys,
               const StringPool& strings, const StopCheck& stop);

// A sort key and its row.
struct KeyedRow {
  uint64_t key;
  uint32_t row;
  friend auto operator<=>(const KeyedRow&, const KeyedRow&) = default;
};

// Collects rows in row order and keeps the first `most` in the order of sort_rows() by one key.
// Requires: has_own_order() of the column.
class FirstRows {
 public:
  FirstRows(const SortKey& key, size_t most) : key_(key), most_(most) {}
  void add(std::span<const uint32_t> rows);
  std::vector<uint32_t> take();

 private:
  SortKey key_;
  size_t most_;
  std::vector<KeyedRow> kept_;  // a heap, the last in order at the front
};
// Whether values of the column compare without the string pool.
bool has_own_order(const ColumnView& column);

// Sorts stably in linear time. Returns false if stopped.
bool sort_by_key(std::vector<KeyedRow>& rows, const StopCheck& stop);

}  // namespace tracebraid
