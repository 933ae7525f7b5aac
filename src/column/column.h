// Column<T>: one column of a table, filled once and then only read; and TableView, the untyped view
// of a table. assemble and merge fill columns; query and export read them through views.
//
// Input: values of builders, or mapped memory of a braid. Output: typed columns and TableView.
// Called by tables, assemble, merge, query and export.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/string_pool.h"
#include "column/cell.h"
#include "column/null.h"
#include "column/packed_column.h"

namespace tracebraid {

template <class T>
class Column {
 public:
  void append(T value) { values_.push_back(value); }
  void reserve(size_t rows) { values_.reserve(rows); }
  void insert(size_t row, T value) {
    values_.insert(values_.begin() + static_cast<ptrdiff_t>(row), value);
  }
  void take(std::vector<T> values) { values_ = std::move(values); }
  // Uses values in memory that must outlive the column. The column is read-only from then on.
  void view(std::span<const T> values) { viewed_ = values; }
  size_t size() const { return values().size(); }
  T operator[](size_t row) const { return data()[row]; }
  T& at(size_t row) { return values_[row]; }
  std::span<const T> values() const {
    return viewed_.data() == nullptr ? std::span<const T>(values_) : viewed_;
  }
  const T* data() const { return viewed_.data() == nullptr ? values_.data() : viewed_.data(); }

 private:
  std::vector<T> values_;
  std::span<const T> viewed_;
};

// A column whose rows are mostly NULL; stores the other rows only. Requires: rows are set in
// increasing order.
class SparseColumn {
 public:
  void set(size_t row, int64_t value) {
    rows_.append(static_cast<uint32_t>(row));
    values_.append(value);
  }
  // Returns OptInt::kNull if the row has no value. O(log n) of the rows with a value.
  int64_t get(size_t row) const;
  // Sets or replaces the value of any row. O(log n) if the row has a value or is beyond the last
  // one, else O(n).
  void put(size_t row, int64_t value);

  // The rows with a value, in increasing order, and their values; for files.
  std::span<const uint32_t> rows() const { return rows_.values(); }
  std::span<const int64_t> values() const { return values_.values(); }
  // Uses rows and values in memory that must outlive the column.
  void view(std::span<const uint32_t> rows, std::span<const int64_t> values) {
    rows_.view(rows);
    values_.view(values);
  }

 private:
  Column<uint32_t> rows_;
  Column<int64_t> values_;
};

enum class CellType : uint8_t {
  RowNumber,  // the row number: `id`
  Int64,
  UInt32,
  UInt8,
  OptInt,
  OptRow,
  Double,
  String,
  Sparse,
  Computed,
};
enum class Order : uint8_t {
  None,
  Sorted,  // never decreases from row to row, so scans search it and need not sort
};
enum class SqlType : uint8_t { Integer, Real, Text };
std::string_view name_of(SqlType type);  // INTEGER, REAL, TEXT

struct ColumnView {
  std::string_view name;
  std::string_view about;  // description with the unit, for docs/sql-tables.md
  SqlType sql_type = SqlType::Integer;
  CellType type = CellType::RowNumber;
  Order order = Order::None;
  const void* data = nullptr;  // T[rows], a SparseColumn, or the argument of `compute`
  Cell (*compute)(const void* data, size_t row, const StringPool& strings) = nullptr;
  bool hidden = false;  // left out by SELECT *
  // Optional, for a sorted Computed column: returns the rows with a value as a half-open range,
  // faster than a search by compute().
  std::pair<size_t, size_t> (*rows_of)(const void* data, int64_t value) = nullptr;
  const PackedInts* packed = nullptr;  // if set, has the values, and `data` is null
  // Optional, for a Computed column whose texts are all in the pool of the store: returns the id of
  // the text.
  StringId (*text_id)(const void* data, size_t row) = nullptr;
  // Optional, for a Computed column: reads consecutive rows many times faster than `compute`. Gives
  // integers, the bits of reals, or the index of a text in `texts` (in the pool if `texts` is
  // empty). Rows with `valid` false are NULL.
  void (*read)(const void* data, size_t first, std::span<int64_t> values,
               std::span<bool> valid) = nullptr;
  std::span<const std::string_view> texts;
};

struct TableView {
  std::string_view name;  // "__intrinsic_slice"
  std::string_view about;
  size_t rows = 0;
  std::vector<ColumnView> columns;
};

Cell cell(const ColumnView& column, size_t row, const StringPool& strings);

// Returns the view of a column, by its type: column_view("dur", "...", Order::None, column).
template <class T>
ColumnView column_view_of_type(std::string_view name, std::string_view about, Order order) {
  ColumnView view{.name = name, .about = about, .order = order};
  if constexpr (std::is_same_v<T, int64_t>) {
    view.type = CellType::Int64;
  } else if constexpr (std::is_same_v<T, uint32_t>) {
    view.type = CellType::UInt32;
  } else if constexpr (std::is_same_v<T, uint8_t>) {
    view.type = CellType::UInt8;
  } else if constexpr (std::is_same_v<T, OptInt>) {
    view.type = CellType::OptInt;
  } else if constexpr (std::is_same_v<T, OptRow>) {
    view.type = CellType::OptRow;
  } else if constexpr (std::is_same_v<T, double>) {
    view.type = CellType::Double;
    view.sql_type = SqlType::Real;
  } else {
    static_assert(std::is_same_v<T, StringId>);
    view.type = CellType::String;
    view.sql_type = SqlType::Text;
  }
  return view;
}
template <class T>
ColumnView column_view(std::string_view name, std::string_view about, Order order,
                       const Column<T>& column) {
  ColumnView view = column_view_of_type<T>(name, about, order);
  view.data = column.data();
  return view;
}
template <class T>
ColumnView column_view(std::string_view name, std::string_view about, Order order,
                       const PackedColumn<T>& column) {
  ColumnView view = column_view_of_type<T>(name, about, order);
  view.packed = &column.ints();
  return view;
}
inline ColumnView column_view(std::string_view name, std::string_view about, Order order,
                              const SparseColumn& column) {
  return {.name = name, .about = about, .type = CellType::Sparse, .order = order, .data = &column};
}

}  // namespace tracebraid
