// GatheredRows: the rows of a SELECT, column by column, as input of an operator.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "column/column.h"
#include "query/operators/value_column.h"
#include "query/scan/query_memory.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

// The rows of a stored table that a scan selected.
struct StoredRows {
  explicit StoredRows(QueryMemory* of) : memory(of) {}
  const StringPool* strings = nullptr;
  size_t first = 0;                        // if `list` is empty: consecutive rows from here on
  std::vector<uint32_t> list;              // otherwise
  std::shared_ptr<const void> owner = {};  // of the table, unless it outlives the statement
  OperatorMemory memory;                   // of the list
  size_t operator[](size_t row) const { return list.empty() ? first + row : list[row]; }
};

// A column whose values are in memory, or are read from a stored table when they are needed. The
// table must outlive the column.
class GatheredColumn {
 public:
  GatheredColumn() = default;
  GatheredColumn(const ColumnView& stored, std::shared_ptr<const StoredRows> rows)
      : stored_(&stored), rows_(std::move(rows)) {}

  ValueColumn& values() { return values_; }
  // Returns the same column, which shares the selected rows. Requires: is_stored().
  GatheredColumn share() const { return {*stored_, rows_}; }
  bool is_stored() const { return stored_ != nullptr; }
  Cell cell(size_t row) const {
    return stored_ == nullptr ? values_.cell(row)
                              : tracebraid::cell(*stored_, (*rows_)[row], *rows_->strings);
  }
  // Reads values from `first` on, as integers. Returns the number of values that are integers up to
  // the first that is not one.
  size_t read_integers(size_t first, std::span<int64_t> integers) const;
  // Reads values from `first` on and converts them as CAST does; NULL becomes 0.
  void read_as_integers(size_t first, std::span<int64_t> integers) const;
  // The type of the values that are not NULL; Integer if all are NULL. Nothing if read_rows()
  // cannot read them.
  std::optional<SqlType> type() const;
  // Reads values of any rows: integers, or the numbers of texts, which are ids in strings() if it
  // is not null. Rows with `valid` false are NULL. Requires: type() is Integer or Text. Any thread
  // may call it.
  void read_rows(std::span<const uint32_t> rows, std::span<int64_t> values,
                 std::span<bool> valid) const;
  const StringPool* strings() const { return stored_ == nullptr ? nullptr : rows_->strings; }
  size_t memory() const { return values_.memory(); }

 private:
  void read_packed(size_t first, std::span<int64_t> integers) const;

  ValueColumn values_;
  const ColumnView* stored_ = nullptr;
  std::shared_ptr<const StoredRows> rows_;
};

// Converts a value to an integer as SQLite's CAST does; NULL becomes 0.
int64_t as_integer(const Cell& cell);

struct GatheredRows {
  std::vector<std::string> names;
  std::vector<GatheredColumn> columns;
  size_t rows = 0;
  size_t memory() const;
};

inline constexpr size_t kGatheredBlockRows = 4096;

// Calls body(first, count), which returns Result<>, for blocks of at most kGatheredBlockRows rows.
// Errors: those of `body` and of `stop`.
template <class Body>
Result<> for_each_gathered_block(size_t rows, const StopCheck& stop, Body body) {
  constexpr size_t kBlocksPerCheck = 4;
  for (size_t first = 0, blocks = 0; first < rows; first += kGatheredBlockRows, ++blocks) {
    if (blocks % kBlocksPerCheck == 0 && stop.stopped()) return tl::unexpected(stop.error());
    TB_TRY(body(first, std::min(kGatheredBlockRows, rows - first)));
  }
  return {};
}

}  // namespace tracebraid
