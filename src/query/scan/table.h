// Table: a TableView together with what queries taught us about its columns.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "column/column.h"
#include "query/scan/row_index.h"

namespace tracebraid {

// `rowid`: the row number, for tables whose columns do not include it as well.
inline constexpr ColumnView kRowid{.name = "rowid", .about = "Row number.", .order = Order::Sorted};

struct ColumnStudy {
  double distinct = 0;            // estimated number of values; 0 if not yet estimated
  uint64_t scanned_rows = 0;      // by equality, before there was an index
  std::optional<RowIndex> index;  // of a column that holds_integers()
};

class Table {
 public:
  // `stop` is set by Database::interrupt().
  Table(TableView table, const StringPool& strings, const std::atomic<bool>& stop);
  // Some columns of another table, in their own order, under the names in `view`.
  // `sources` are their places there. What is learned of a column is shared.
  Table(TableView view, const Table& base, std::span<const size_t> sources);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const TableView& view() const { return view_; }
  size_t rows() const { return view_.rows; }
  const StringPool& strings() const { return *strings_; }
  const std::atomic<bool>& stop() const { return *stop_; }
  bool stopped() const { return stop_->load(std::memory_order_relaxed); }
  // Some rows, evenly spread, for estimates.
  std::span<const uint32_t> sample() const { return sample_; }

  // Null if there is none of this name.
  const ColumnView* column(std::string_view name) const;
  // `column` must be one of view().columns.
  ColumnStudy& study(const ColumnView& column) {
    return *studies_[static_cast<size_t>(&column - view_.columns.data())];
  }

 private:
  TableView view_;
  const StringPool* strings_;
  const std::atomic<bool>* stop_;
  std::vector<uint32_t> sample_;
  std::vector<std::shared_ptr<ColumnStudy>> studies_;  // of each column
};

// Whether rows with a value, or between two values, lie together, so that they
// can be searched for.
bool is_searchable(const ColumnView& column);

}  // namespace tracebraid
