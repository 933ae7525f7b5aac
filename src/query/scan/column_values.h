// Typed access to integer columns: numbers, row numbers and ids of strings. Templates compile a
// loop for each type.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "column/column.h"

namespace tracebraid {

// The limits of values other than NULL.
struct Domain {
  int64_t min, max;
};

template <class T>
struct IntegerColumn {
  const T* data;
  int64_t operator[](size_t row) const { return static_cast<int64_t>(data[row]); }
};
template <>
struct IntegerColumn<OptInt> {
  const OptInt* data;
  int64_t operator[](size_t row) const { return data[row].value; }
};
template <>
struct IntegerColumn<OptRow> {
  const OptRow* data;
  int64_t operator[](size_t row) const { return data[row].row; }
};
template <>
struct IntegerColumn<StringId> {
  const StringId* data;
  int64_t operator[](size_t row) const { return data[row].row; }
};
template <>
struct IntegerColumn<SparseColumn> {
  const SparseColumn* data;
  int64_t operator[](size_t row) const { return data->get(row); }
};
// `T` is the type to which values are narrowed, so that NULL is the same as in a plain column.
template <class T>
struct PackedValues {
  const PackedInts* ints;
  int64_t operator[](size_t row) const {
    return static_cast<int64_t>(static_cast<T>((*ints)[row]));
  }
};
struct RowNumberColumn {
  int64_t operator[](size_t row) const { return static_cast<int64_t>(row); }
};

inline bool holds_integers(const ColumnView& column) {
  return column.type != CellType::Double && column.type != CellType::Computed;
}

// Returns the domain of a column for which holds_integers(). NULL is outside of it.
inline Domain domain_of(const ColumnView& column) {
  constexpr auto kMin = std::numeric_limits<int64_t>::min();
  constexpr auto kMax = std::numeric_limits<int64_t>::max();
  switch (column.type) {
    case CellType::UInt8:
      return {0, std::numeric_limits<uint8_t>::max()};
    case CellType::RowNumber:
    case CellType::UInt32:
      return {0, std::numeric_limits<uint32_t>::max()};
    case CellType::OptRow:
    case CellType::String:
      return {0, int64_t{OptRow::kNull} - 1};
    case CellType::OptInt:
    case CellType::Sparse:
      return {kMin + 1, kMax};
    default:
      return {kMin, kMax};
  }
}

// Calls `body` with the typed form of a column that holds_integers().
template <class Body>
decltype(auto) visit_integers(const ColumnView& column, Body&& body) {
  if (column.packed != nullptr) {
    if (column.type == CellType::Int64) return body(PackedValues<int64_t>{column.packed});
    return body(PackedValues<uint32_t>{column.packed});
  }
  switch (column.type) {
    case CellType::UInt32:
      return body(IntegerColumn<uint32_t>{static_cast<const uint32_t*>(column.data)});
    case CellType::UInt8:
      return body(IntegerColumn<uint8_t>{static_cast<const uint8_t*>(column.data)});
    case CellType::Int64:
      return body(IntegerColumn<int64_t>{static_cast<const int64_t*>(column.data)});
    case CellType::OptInt:
      return body(IntegerColumn<OptInt>{static_cast<const OptInt*>(column.data)});
    case CellType::OptRow:
      return body(IntegerColumn<OptRow>{static_cast<const OptRow*>(column.data)});
    case CellType::String:
      return body(IntegerColumn<StringId>{static_cast<const StringId*>(column.data)});
    case CellType::Sparse:
      return body(IntegerColumn<SparseColumn>{static_cast<const SparseColumn*>(column.data)});
    default:
      return body(RowNumberColumn{});
  }
}

}  // namespace tracebraid
