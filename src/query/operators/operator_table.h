// OperatorTable: a table of an operator whose rows can be computed as columns.
//
// SQLite reads a table of an operator row by row. A statement that groups the table reads its
// columns instead. Registered in OperatorContext::tables by modules of operators, and used by the
// push-down of query/compile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/result.h"
#include "query/scan/table.h"

namespace tracebraid {

struct OperatorTable {
  // The columns, with the types that they probably have. Has no values that can be read.
  std::shared_ptr<const Table> shape;
  // The column by whose value SQLite reads a part of the rows without computing the others.
  std::optional<size_t> partition = {};
  // Computes all rows. Bit i of `columns_read` is set if column i will be read; bit 63 stands for
  // the rest. Null: SQLite must read the rows, because columns have values that a Table does not
  // store, the operator fails, or all rows together exceed the limit of memory. Errors: those of
  // the StopCheck.
  std::function<Result<std::shared_ptr<const Table>>(uint64_t columns_read)> compute;
};

// Whether bit `column` of `columns_read` is set.
inline bool is_read(uint64_t columns_read, size_t column) {
  constexpr size_t kLastBit = 63;
  return (columns_read >> (column < kLastBit ? column : kLastBit) & 1) != 0;
}

}  // namespace tracebraid
