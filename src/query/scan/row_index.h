// RowIndex: the rows of each value of a column. Made when equality on an
// unsorted column is asked for again and again, as joins do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "column/column.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

class RowIndex {
 public:
  // For a column that holds_integers(), strings by id. NULLs are left out.
  // Nothing: it was stopped. Takes 4 bytes a row, and 4 for each value when they
  // are small numbers, otherwise 8 more a row.
  static std::optional<RowIndex> build(const ColumnView& column, size_t rows,
                                       const StopCheck& stop);

  // Rows with this value, in order.
  std::span<const uint32_t> rows_of(int64_t value) const;
  size_t distinct() const { return distinct_; }

 private:
  // False: stopped.
  bool build_dense(const ColumnView& column, size_t rows, int64_t max, const StopCheck& stop);

  std::vector<uint32_t> rows_;    // by value, then row
  std::vector<uint32_t> starts_;  // of small values: value -> first in rows_
  std::vector<int64_t> values_;   // otherwise: of each in rows_
  size_t distinct_ = 0;
};

}  // namespace tracebraid
