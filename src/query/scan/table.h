// Table: a TableView with facts about its columns that queries have found.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "column/column.h"
#include "query/scan/ordered_index.h"
#include "query/scan/row_index.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

// `rowid`: the row number, for tables without it as a column.
inline constexpr ColumnView kRowid{.name = "rowid", .about = "Row number.", .order = Order::Sorted};

// Facts about a column. Thread-safe; each fact is computed once.
class ColumnStudy {
 public:
  // Returns the estimated number of distinct values; calls `estimate` the first time.
  template <class Estimate>
  double distinct(Estimate estimate) {
    const std::lock_guard lock(distinct_mutex_);
    if (distinct_ == 0) distinct_ = estimate();
    return distinct_;
  }
  // Adds rows that were scanned by equality without an index. Returns the sum before.
  uint64_t add_scanned_rows(uint64_t rows) {
    return scanned_rows_.fetch_add(rows, std::memory_order_relaxed);
  }
  // Returns null without an index.
  const RowIndex* index() const { return index_.load(std::memory_order_acquire); }
  // Builds the index. Null if another thread is building it, or the work is stopped.
  // Requires: the column holds_integers().
  const RowIndex* build_index(const ColumnView& column, size_t rows, const StopCheck& stop);

  // The indexes that begin with this column. Null: none.
  using OrderedIndexes = std::vector<std::shared_ptr<const OrderedIndex>>;
  const OrderedIndexes* ordered_indexes() const { return ordered_.load(std::memory_order_acquire); }
  // Adds an index, unless there is one of the same columns.
  void add_ordered_index(OrderedIndex index);
  // Frees the ordered indexes except those that `is_kept`, and the index of single values unless
  // one is kept. Requires: no scan of the table runs.
  void free_indexes(const std::function<bool(const OrderedIndex&)>& is_kept);

 private:
  std::mutex distinct_mutex_, index_mutex_;
  double distinct_ = 0;  // 0: not estimated yet
  std::atomic<uint64_t> scanned_rows_{0};
  std::optional<RowIndex> built_;  // written under index_mutex_, before index_ points to it
  std::atomic<const RowIndex*> index_{nullptr};
  // All lists that ordered_ has pointed to, because scans may read them. Under index_mutex_.
  std::vector<std::unique_ptr<const OrderedIndexes>> ordered_lists_;
  std::atomic<const OrderedIndexes*> ordered_{nullptr};
};

// Immutable except for its studies. Any number of threads may use it at once.
class Table {
 public:
  Table(TableView table, const StringPool& strings);
  // Columns of another table, with the names and order of `view`. `sources` are their positions
  // there. Shares the facts about columns.
  Table(TableView view, const Table& base, std::span<const size_t> sources);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const TableView& view() const { return view_; }
  size_t rows() const { return view_.rows; }
  const StringPool& strings() const { return *strings_; }
  // Returns evenly spaced rows, for estimates.
  std::span<const uint32_t> sample() const { return *sample_; }

  // Returns null for an unknown name.
  const ColumnView* column(std::string_view name) const;
  // Requires: `column` is one of view().columns.
  ColumnStudy& study(const ColumnView& column) const {
    return *studies_[static_cast<size_t>(&column - view_.columns.data())];
  }

 private:
  TableView view_;
  const StringPool* strings_;
  std::shared_ptr<const std::vector<uint32_t>> sample_;
  std::vector<std::shared_ptr<ColumnStudy>> studies_;  // of each column
};

// Whether rows with equal values are consecutive and sorted, so that binary search works.
bool is_searchable(const ColumnView& column);

}  // namespace tracebraid
