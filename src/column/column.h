// Column<T>: one column of a table, filled once and then only read; and the
// views through which SQL and exports see columns, whatever their types.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/string_pool.h"
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
  // Values that lie in memory which outlives this. From then on it is only read.
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

// A column of which most rows are NULL: only the others take memory. Rows must
// be set in rising order.
class SparseColumn {
 public:
  void set(size_t row, int64_t value) {
    rows_.append(static_cast<uint32_t>(row));
    values_.append(value);
  }
  // OptInt::kNull if the row has no value. O(log of the rows that have one).
  int64_t get(size_t row) const;
  // Replaces the value of a row that may have one already. O(log n) when it has,
  // or when it is beyond the last; otherwise O(n).
  void put(size_t row, int64_t value);

  // For files: rows that have a value, in rising order, and their values.
  std::span<const uint32_t> rows() const { return rows_.values(); }
  std::span<const int64_t> values() const { return values_.values(); }
  // As Column::view().
  void view(std::span<const uint32_t> rows, std::span<const int64_t> values) {
    rows_.view(rows);
    values_.view(values);
  }

 private:
  Column<uint32_t> rows_;
  Column<int64_t> values_;
};

// What one cell holds. `text` lives as long as the store.
struct Cell {
  enum class Kind : uint8_t { Null, Int, Real, Text, Blob } kind = Kind::Null;
  int64_t integer = 0;
  double real = 0;
  std::string_view text;

  static Cell null() { return {}; }
  static Cell of(int64_t value) { return {Kind::Int, value, 0, {}}; }
  static Cell of(double value) {
    return std::isnan(value) ? Cell{} : Cell{Kind::Real, 0, value, {}};
  }
  static Cell of(std::string_view value) { return {Kind::Text, 0, 0, value}; }
};

enum class CellType : uint8_t {
  RowNumber,  // the row itself: `id`
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
  Sorted,  // never falls from row to row: can be searched, needs no sorting
};
enum class SqlType : uint8_t { Integer, Real, Text };
std::string_view name_of(SqlType type);  // INTEGER, REAL, TEXT

struct ColumnView {
  std::string_view name;
  std::string_view about;  // says the unit; the manual prints it
  SqlType sql_type = SqlType::Integer;
  CellType type = CellType::RowNumber;
  Order order = Order::None;
  const void* data = nullptr;  // of T[rows]; of a SparseColumn; for Computed what `compute` gets
  Cell (*compute)(const void* data, size_t row, const StringPool& strings) = nullptr;
  bool hidden = false;  // left out by SELECT *
  // Of a Computed column that is Sorted, optional: first row with a value and the
  // one behind the last, faster than a search through compute().
  std::pair<size_t, size_t> (*rows_of)(const void* data, int64_t value) = nullptr;
  const PackedInts* packed = nullptr;  // if set, the values are there and `data` is null
  // Of a Computed column whose texts are all in the store's pool, optional: which one it is.
  StringId (*text_id)(const void* data, size_t row) = nullptr;
  // Of a Computed column, optional: consecutive rows at once, at many times the speed. Integers,
  // the bits of reals, or of texts their place in `texts`, or in the pool if that is empty. Where
  // `valid` is false the row is NULL.
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

// column_view("dur", "...", Order::None, column): by the column's type.
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
