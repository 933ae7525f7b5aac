// ResultTable: the result of an operator as a pointer value, whose rows __intrinsic_table_ptr
// returns.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "column/cell.h"
#include "query/operators/value_column.h"

namespace tracebraid {

class ResultTable {
 public:
  static constexpr const char* kPointerName = "TABLE";
  virtual ~ResultTable() = default;

  virtual size_t rows() const = 0;
  // Requires: `column` is less than names().size().
  virtual Cell cell(size_t row, size_t column) const = 0;
  const std::vector<std::string>& names() const { return names_; }

 protected:
  explicit ResultTable(std::vector<std::string> names) : names_(std::move(names)) {}

 private:
  std::vector<std::string> names_;
};

// A table whose values are in memory.
class StoredResult final : public ResultTable {
 public:
  explicit StoredResult(std::vector<std::string> names)
      : ResultTable(std::move(names)), columns_(this->names().size()) {}

  size_t rows() const override { return columns_.empty() ? 0 : columns_[0].size(); }
  Cell cell(size_t row, size_t column) const override { return columns_[column].cell(row); }
  ValueColumn& column(size_t index) { return columns_[index]; }
  const ValueColumn& column(size_t index) const { return columns_[index]; }

 private:
  std::vector<ValueColumn> columns_;
};

}  // namespace tracebraid
