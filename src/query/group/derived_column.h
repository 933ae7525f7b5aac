// DerivedColumn: integers that a function computes from the rows of a table, for grouping.
//
// Input: a function of rows. Output: a ColumnView. Called by the push-down of query/compile.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/workers.h"
#include "column/column.h"

namespace tracebraid {

class DerivedColumn {
 public:
  // Computes the values of consecutive rows; a row that is not valid is NULL. Several threads call
  // it at once. Returns false if the function fails or a value is not an integer.
  using Evaluate =
      std::function<bool(size_t first, std::span<int64_t> values, std::span<bool> valid)>;

  // Reads of consecutive rows compute many rows ahead, on all `workers`, which must outlive the
  // column.
  DerivedColumn(size_t rows, Evaluate evaluate, Workers& workers);
  DerivedColumn(const DerivedColumn&) = delete;
  DerivedColumn& operator=(const DerivedColumn&) = delete;

  // The column must outlive the view, which one thread reads at a time.
  ColumnView view() const;
  // The bytes of the rows that are computed ahead, at most.
  size_t memory() const;
  // Whether a call of the function returned false. The values are void then.
  bool has_failed() const { return has_failed_; }

 private:
  void read(size_t first, std::span<int64_t> values, std::span<bool> valid) const;
  void compute_ahead(size_t first) const;

  size_t rows_;
  Evaluate evaluate_;
  Workers& workers_;
  // The rows from first_ on that were computed ahead.
  mutable size_t first_ = 0, count_ = 0, expected_ = 0;
  mutable std::vector<int64_t> values_;
  mutable std::vector<uint8_t> valid_;
  mutable std::atomic<bool> has_failed_ = false;
};

}  // namespace tracebraid
