// Declaration of a table: a list of columns, one line each, with the names under which users see
// it. The subject headers in this folder (slice_tables.h ...) hold the declarations.
//
//   #define TB_FLOW_COLUMNS(C) C(slice_out, uint32_t, None, "Row of slice that the flow leaves.")
//   TB_TABLE(FlowTable, "__intrinsic_flow", "Flows between slices.", TB_FLOW_COLUMNS, {"flow"})
//
// makes `struct FlowTable` with a Column<T> member for each line (a T that is a column is the
// member itself: PackedColumn<U>, SparseColumn), kName, kFile, rows(), and view(), whose first
// column is `id`, the row number. A line in the list of tables at the end of the subject header
// makes it a member of Store. The SQL schema, braids, exports, completion and docs/sql-tables.md
// follow from both.
#pragma once

#include <string_view>
#include <vector>

#include "base/source_file.h"
#include "column/column.h"

namespace tracebraid {

enum class Alias : uint8_t { No, Yes };
inline constexpr Alias kAlias = Alias::Yes;

// A name under which users see the rows of a raw table, all and in their order.
struct PublicTable {
  std::string_view name;
  // Columns of the raw table: "id, ts" or "category AS cat". "*" stands for all, in their order,
  // "* EXCEPT (a, b)" for all others.
  std::string_view columns = "*";
  // A second name of a table. Exports leave it out.
  Alias alias = Alias::No;
};

template <class T>
size_t rows_of(const Column<T>& column) {
  return column.size();
}
template <class T>
size_t rows_of(const PackedColumn<T>& column) {
  return column.size();
}
inline size_t rows_of(const SparseColumn&) { return 0; }

template <class T>
struct ColumnOf {
  using type = Column<T>;
};
template <>
struct ColumnOf<SparseColumn> {
  using type = SparseColumn;
};
template <class T>
struct ColumnOf<PackedColumn<T>> {
  using type = PackedColumn<T>;
};
#define TB_COLUMN_MEMBER(name, T, order, about) ColumnOf<T>::type name;
#define TB_COLUMN_VIEW(name, T, order, about) \
  table.columns.push_back(column_view(#name, about, Order::order, this->name));
#define TB_COLUMN_ROWS(name, T, order, about) \
  if (const size_t n = rows_of(this->name); n > most_rows_) most_rows_ = n;
#define TB_COLUMN_VISIT(name, T, order, about) visit(std::string_view(#name), this->name);
// The arguments behind COLUMNS are the PublicTables of the table.
#define TB_TABLE(Struct, sql_name, table_about, COLUMNS, ...)                                  \
  struct Struct {                                                                              \
    static constexpr std::string_view kName = sql_name;                                        \
    static constexpr std::string_view kFile = file_below_root(__FILE__);                       \
    COLUMNS(TB_COLUMN_MEMBER)                                                                  \
    template <class Visit>                                                                     \
    void for_each_column(Visit visit){COLUMNS(TB_COLUMN_VISIT)} size_t rows() const {          \
      size_t most_rows_ = 0;                                                                   \
      COLUMNS(TB_COLUMN_ROWS)                                                                  \
      return most_rows_;                                                                       \
    }                                                                                          \
    TableView view() const {                                                                   \
      TableView table{kName, table_about, rows(), {}};                                         \
      table.columns.push_back({.name = "id", .about = "Row number.", .order = Order::Sorted}); \
      COLUMNS(TB_COLUMN_VIEW)                                                                  \
      return table;                                                                            \
    }                                                                                          \
    static std::vector<PublicTable> public_tables() { return {__VA_ARGS__}; }                  \
  };

}  // namespace tracebraid
