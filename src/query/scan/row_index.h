// RowIndex: the rows of each value of a column. Built when equality on an unsorted column is
// queried repeatedly, as in joins.
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
  // Builds the index of a column that holds_integers(), strings by id, without NULLs. Returns
  // nothing if stopped. Takes 4 bytes per row, plus 4 per value for small numbers or 8 per row
  // otherwise.
  static std::optional<RowIndex> build(const ColumnView& column, size_t rows,
                                       const StopCheck& stop);

  // Returns the rows with this value, in order.
  std::span<const uint32_t> rows_of(int64_t value) const;
  size_t distinct() const { return distinct_; }

 private:
  // Returns false if stopped.
  bool build_dense(const ColumnView& column, size_t rows, int64_t max, const StopCheck& stop);

  std::vector<uint32_t> rows_;    // by value, then row
  std::vector<uint32_t> starts_;  // for small values: value -> first element of rows_
  std::vector<int64_t> values_;   // otherwise: the value of each element of rows_
  size_t distinct_ = 0;
};

}  // namespace tracebraid
