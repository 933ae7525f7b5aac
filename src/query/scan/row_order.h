// Sorting of row numbers by what columns hold.
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

// Sorts by the first key, ties by the second, and so on; what is equal in all
// stays in the order it was in, also when descending. NULL comes before
// everything; text goes by bytes. False: stopped, the order is undefined.
bool sort_rows(std::vector<uint32_t>& rows, std::span<const SortKey> keys,
               const StringPool& strings, const StopCheck& stop);

// A key to sort by, and the row it is of.
struct KeyedRow {
  uint64_t key;
  uint32_t row;
  friend auto operator<=>(const KeyedRow&, const KeyedRow&) = default;
};

// Of rows that are added in row order, the first `most` as sort_rows() by one key puts them.
// For columns that has_own_order().
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
// Whether a value alone says where it stands among others.
bool has_own_order(const ColumnView& column);

// Stable, in time proportional to their number. False: stopped.
bool sort_by_key(std::vector<KeyedRow>& rows, const StopCheck& stop);

}  // namespace tracebraid
