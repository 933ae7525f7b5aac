// Table: a TableView together with what queries taught us about its columns.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "sql/row_index.h"
#include "table/column.h"

namespace tracebraid {

// `rowid`: the row number, for tables whose columns do not include it as well.
inline constexpr ColumnView kRowid{.name = "rowid", .about = "Row number.", .order = Order::Sorted};

// Of a column that holds_integers().
struct ColumnLookups {
  uint64_t scanned_rows = 0;  // by equality, before there was an index
  std::optional<RowIndex> index;
};

struct Table {
  TableView view;
  const StringPool& strings;
  const std::atomic<bool>& stop;       // set by Database::interrupt()
  std::vector<ColumnLookups> lookups;  // of each column
  std::vector<uint32_t> sample;        // some rows, evenly spread; for estimates
  std::vector<double> distinct;        // estimated values of each column; 0 if not yet known

  Table(TableView table, const StringPool& pool, const std::atomic<bool>& stop_flag);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  // Null if there is none of this name.
  const ColumnView* column(std::string_view name) const;
  size_t index_of(const ColumnView& column) const {
    return static_cast<size_t>(&column - view.columns.data());
  }
};

// Whether rows with a value, or between two values, lie together, so that they
// can be searched for.
bool is_searchable(const ColumnView& column);

}  // namespace tracebraid
