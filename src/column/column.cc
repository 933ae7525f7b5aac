#include "column/column.h"

#include <algorithm>

namespace tracebraid {
namespace {

template <class T>
T value(const ColumnView& column, size_t row) {
  if (column.packed != nullptr) return PackedCell<T>::unpack((*column.packed)[row]);
  return static_cast<const T*>(column.data)[row];
}

}  // namespace

std::string_view name_of(SqlType type) {
  switch (type) {
    case SqlType::Integer:
      return "INTEGER";
    case SqlType::Real:
      return "REAL";
    case SqlType::Text:
      break;
  }
  return "TEXT";
}

int64_t SparseColumn::get(size_t row) const {
  const std::span<const uint32_t> rows = rows_.values();
  const auto at = std::lower_bound(rows.begin(), rows.end(), row);
  if (at == rows.end() || *at != row) return OptInt::kNull;
  return values_[static_cast<size_t>(at - rows.begin())];
}

void SparseColumn::put(size_t row, int64_t value) {
  const std::span<const uint32_t> rows = rows_.values();
  const auto at = std::lower_bound(rows.begin(), rows.end(), row);
  const auto index = static_cast<size_t>(at - rows.begin());
  if (at == rows.end() || *at != row) {
    rows_.insert(index, static_cast<uint32_t>(row));
    values_.insert(index, value);
  } else {
    values_.at(index) = value;
  }
}

Cell cell(const ColumnView& column, size_t row, const StringPool& strings) {
  switch (column.type) {
    case CellType::RowNumber:
      return Cell::of(static_cast<int64_t>(row));
    case CellType::Int64:
      return Cell::of(value<int64_t>(column, row));
    case CellType::UInt32:
      return Cell::of(int64_t{value<uint32_t>(column, row)});
    case CellType::UInt8:
      return Cell::of(int64_t{value<uint8_t>(column, row)});
    case CellType::OptInt: {
      const int64_t v = static_cast<const OptInt*>(column.data)[row].value;
      return v == OptInt::kNull ? Cell::null() : Cell::of(v);
    }
    case CellType::OptRow: {
      const uint32_t v = value<OptRow>(column, row).row;
      return v == OptRow::kNull ? Cell::null() : Cell::of(int64_t{v});
    }
    case CellType::Double:
      return Cell::of(static_cast<const double*>(column.data)[row]);
    case CellType::String: {
      const StringId id = value<StringId>(column, row);
      return id ? Cell::of(strings.get(id)) : Cell::null();
    }
    case CellType::Sparse: {
      const int64_t v = static_cast<const SparseColumn*>(column.data)->get(row);
      return v == OptInt::kNull ? Cell::null() : Cell::of(v);
    }
    case CellType::Computed:
      return column.compute(column.data, row, strings);
  }
  return Cell::null();
}

}  // namespace tracebraid
