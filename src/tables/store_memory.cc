#include "tables/store_memory.h"

#include "column/column.h"
#include "tables/store.h"

namespace tracebraid {
namespace {

size_t column_memory(const ColumnView& column, size_t rows) {
  if (column.packed != nullptr) return column.packed->memory();
  switch (column.type) {
    case CellType::RowNumber:
    case CellType::Computed:
      return 0;
    case CellType::UInt8:
      return rows;
    case CellType::UInt32:
    case CellType::OptRow:
    case CellType::String:
      return rows * sizeof(uint32_t);
    case CellType::Int64:
    case CellType::OptInt:
    case CellType::Double:
      return rows * sizeof(int64_t);
    case CellType::Sparse:
      return static_cast<const SparseColumn*>(column.data)->rows().size() *
             (sizeof(uint32_t) + sizeof(int64_t));
  }
  return 0;
}

}  // namespace

size_t store_memory(const Store& store) {
  size_t bytes = store.strings.memory() + store.args.memory();
  for (const TableView& table : store.views())
    for (const ColumnView& column : table.columns) bytes += column_memory(column, table.rows);
  return bytes;
}

}  // namespace tracebraid
