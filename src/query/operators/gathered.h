// GatheredRows: the rows of a SELECT, column by column, as input of an operator.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "column/column.h"
#include "query/operators/value_column.h"
#include "query/scan/query_memory.h"

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
  Cell cell(size_t row) const {
    return stored_ == nullptr ? values_.cell(row)
                              : tracebraid::cell(*stored_, (*rows_)[row], *rows_->strings);
  }
  // Reads values from `first` on, as integers. Returns the number of values that are integers up to
  // the first that is not one.
  size_t read_integers(size_t first, std::span<int64_t> integers) const;
  // Reads values from `first` on and converts them as CAST does; NULL becomes 0.
  void read_as_integers(size_t first, std::span<int64_t> integers) const;
  size_t memory() const { return values_.memory(); }

 private:
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

}  // namespace tracebraid
