// OrderedIndex: the rows of a table in the order of one or more columns. Serves equality on the
// first columns and a range of the next one. Made by CREATE PERFETTO INDEX.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "column/column.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

class OrderedIndex {
 public:
  // The values from `low` to `high` of a column.
  struct Bound {
    int64_t low, high;
  };

  // Requires: at least one column; all hold integers (query/scan/column_values.h), strings by id,
  // and outlive the index. Takes 4 bytes per row. Returns nothing if stopped.
  static std::optional<OrderedIndex> build(std::vector<const ColumnView*> columns, size_t rows,
                                           const StopCheck& stop);

  std::span<const ColumnView* const> columns() const { return columns_; }
  // Returns the rows within the bounds of the first columns, in the order of the columns, then of
  // rows. Requires: all bounds except the last are single values; there are no more bounds than
  // columns.
  std::span<const uint32_t> rows_of(std::span<const Bound> bounds) const;

 private:
  std::vector<const ColumnView*> columns_;
  std::vector<uint32_t> rows_;
};

}  // namespace tracebraid
