// FlameSource: the tree of a flamegraph, as its source gave it.
//
// Input: rows (id, parent_id, name, value, properties). Output: a tree in memory. Called by the
// flamegraph module; knows nothing of SQLite.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "query/operators/gathered.h"
#include "query/operators/value_column.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

// Amounts of nodes: integers, or doubles if the column holds one.
class Amounts {
 public:
  Amounts(bool is_real, size_t count) : is_real_(is_real), words_(count) {}
  bool is_real() const { return is_real_; }
  size_t size() const { return words_.size(); }
  void add_row() { words_.push_back(0); }
  // Adds row `row` of another column of the same type.
  void add(size_t to, const Amounts& from, size_t row) {
    if (is_real_)
      words_[to] = std::bit_cast<int64_t>(std::bit_cast<double>(words_[to]) +
                                          std::bit_cast<double>(from.words_[row]));
    else
      words_[to] = static_cast<int64_t>(static_cast<uint64_t>(words_[to]) +
                                        static_cast<uint64_t>(from.words_[row]));
  }
  void set(size_t row, const Cell& cell);
  bool is_zero(size_t row) const { return words_[row] == 0; }
  bool is_less(size_t a, size_t b) const {
    return is_real_ ? std::bit_cast<double>(words_[a]) < std::bit_cast<double>(words_[b])
                    : words_[a] < words_[b];
  }
  double as_double(size_t row) const {
    return is_real_ ? std::bit_cast<double>(words_[row]) : static_cast<double>(words_[row]);
  }
  Cell cell(size_t row) const;

 private:
  bool is_real_;
  std::vector<int64_t> words_;  // integers or the bits of doubles
};

struct FlameSource {
  static constexpr uint32_t kNone = ~uint32_t{0};

  std::vector<std::string> names;    // of the columns from `value` on
  std::vector<ValueColumn> columns;  // from `value` on: properties
  std::vector<uint8_t> is_numeric;   // of each of them
  ValueColumn texts;                 // the name of each node
  std::vector<uint32_t> parents;     // rows; kNone: a root
  std::vector<uint32_t> order;       // rows, parents before children

  size_t rows() const { return parents.size(); }
  size_t memory() const;
  // Returns the position in `columns`. Error: Sql, which begins with `role`.
  Result<size_t> column(std::string_view role, std::string_view name) const;
  // Returns the amounts of a column. Error: Sql if a value is not a number, or is negative.
  Result<Amounts> amounts(size_t column, const StopCheck& stop) const;
};

// Error: Sql for wrong columns and for a cycle of parents; those of `stop`.
Result<FlameSource> flame_source(const GatheredRows& rows, const StopCheck& stop);

}  // namespace tracebraid
