// Scan: carries out a plan on a table, giving row numbers in blocks.
//
// Input: a Table and a Plan (filters, order, limit). Output: row numbers. Called by
// virtual_table.cc, by groups and by column scans.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "query/scan/plan.h"
#include "query/scan/predicate.h"
#include "query/scan/table.h"

namespace tracebraid {

// The rows that are still to be looked at: a range, or those of a list that lie
// in the range.
struct RowSource {
  size_t begin = 0, end = 0;
  bool is_list = false;
  std::span<const uint32_t> list;  // in row order, or in the order of a sort
};

class Scan {
 public:
  // Operands of the plan's terms, then its limit and offset. They live until start() returns.
  struct Operand {
    std::span<const Cell> values;  // several for In, otherwise one
  };

  // Begins anew. `columns_read` has bit i set if the
  // values of column i will be asked for. False: stopped. `table`, `plan` and `stop` must outlive
  // the scan.
  bool start(const Table& table, const Plan& plan, std::span<const Operand> operands,
             const StopCheck& stop, uint32_t columns_read = 0);
  // Moves on. False: stopped.
  bool next() {
    if (++at_ < size_) {
      row_ = contiguous_ ? row_ + 1 : block_[at_];
      if (!prefetched_.empty() || !prefetched_packed_.empty()) prefetch();
      return true;
    }
    return refill();
  }
  bool at_end() const { return size_ == 0; }
  uint32_t row() const { return row_; }

  // For those who take many rows at a time: the current one and those behind it, as far as
  // they are known.
  struct Rows {
    const uint32_t* list;  // null: they follow each other
    uint32_t first;
    size_t count;
  };
  Rows rows() const { return {contiguous_ ? nullptr : block_.data() + at_, row_, size_ - at_}; }
  // Moves on by less than rows().count.
  void skip_in_block(size_t count) {
    at_ += count;
    row_ = contiguous_ ? row_ + static_cast<uint32_t>(count) : block_[at_];
  }
  // Moves on behind them. False: stopped.
  bool skip_rows() { return refill(); }

 private:
  struct PrefetchedColumn {
    const char* data;
    size_t bytes;  // of a value
  };
  struct Filter {
    Predicate predicate;
    std::optional<TextVerdicts> verdicts;
  };

  void reset(const Table& table, const Plan& plan, const StopCheck& stop);
  bool compile_terms(std::span<const Operand> operands);
  bool narrow_directly(const PlanTerm& term, std::span<const Cell> values);
  bool narrow();
  bool narrow_by_lookup();
  void add_verdicts();
  // `most_rows`: that will be asked for.
  bool arrange(size_t most_rows);
  size_t rows_wanted(std::span<const Operand> operands) const;
  bool sort_all();
  bool select_first(size_t count);
  bool refill();
  void choose_prefetched(uint32_t columns_read);
  void prefetch() const;
  void take_range(size_t count);
  void take_list(size_t count);
  void take_reversed(size_t count);
  void take_descending(size_t count);

  const Table* table_ = nullptr;
  const StopCheck* stop_ = nullptr;
  const Plan* plan_ = nullptr;
  Arrangement arrangement_ = Arrangement::RowOrder;
  RowSource source_;
  std::vector<Predicate> compiled_;
  std::vector<Filter> filters_;
  std::vector<uint32_t> owned_;   // behind source_.list, if it is of this scan's making
  size_t run_ = 0, run_end_ = 0;  // of Descending: rows of one value, still to be given

  // Rows of a list lie anywhere: their values are on the way before they are needed.
  std::vector<PrefetchedColumn> prefetched_;
  std::vector<const PackedInts*> prefetched_packed_;

  std::vector<uint32_t> block_;
  bool contiguous_ = false;  // the block is the rows from row_ on
  size_t at_ = 0, size_ = 0;
  size_t block_rows_ = 0;
  uint32_t row_ = 0;
};

}  // namespace tracebraid
