// Scan: executes a plan on a table and returns row numbers in blocks.
//
// Input: a Table and a Plan (filters, order, limit). Output: row numbers. Called by
// virtual_table.cc, by groups and by column scans.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/scan/plan.h"
#include "query/scan/predicate.h"
#include "query/scan/query_stats.h"
#include "query/scan/table.h"

namespace tracebraid {

// The remaining rows: a range, or the elements of a list in the range.
struct RowSource {
  size_t begin = 0, end = 0;
  bool is_list = false;
  std::span<const uint32_t> list;  // in row order, or in the order of a sort
};

// What a scan did since the last start; times only if it has a total.
struct ScanCounts {
  enum class Access : uint8_t { AllRows, RowNumber, Search, Index };
  Access access = Access::AllRows;
  const ColumnView* column = nullptr;          // that is searched or has the index
  std::vector<const ColumnView*> served = {};  // by an index of several columns
  uint64_t rows_scanned = 0, rows_found = 0;
};
// Returns "all rows", "row number", "search of ts", "index of utid", "index of utid, dur".
std::string text_of(const ScanCounts& counts);

class Scan {
 public:
  // Operands of the terms of the plan, then its limit and offset. Must live until start() returns.
  struct Operand {
    std::span<const Cell> values;  // several values for In, otherwise one
  };

  // Starts a scan. `columns_read` has bit i set if the values of column i will be read. Returns
  // false if stopped. `table`, `plan` and `stop` must outlive the scan.
  bool start(const Table& table, const Plan& plan, std::span<const Operand> operands,
             const StopCheck& stop, uint32_t columns_read = 0);
  // Moves to the next row. Returns false if stopped.
  bool next() {
    if (++at_ < size_) {
      row_ = contiguous_ ? row_ + 1 : block_[at_];
      if (!prefetched_.empty() || !prefetched_packed_.empty()) prefetch();
      return true;
    }
    return next_block();
  }
  bool at_end() const { return size_ == 0; }
  uint32_t row() const { return row_; }

  // Returns the current row and the known rows after it, for reading many rows at a time.
  struct Rows {
    const uint32_t* list;  // null: the rows are consecutive
    uint32_t first;
    size_t count;
  };
  Rows rows() const { return {contiguous_ ? nullptr : block_.data() + at_, row_, size_ - at_}; }
  // Skips fewer than rows().count rows.
  void skip_in_block(size_t count) {
    at_ += count;
    row_ = contiguous_ ? row_ + static_cast<uint32_t>(count) : block_[at_];
  }
  // Moves to the row after rows(). Returns false if stopped.
  bool skip_rows() { return next_block(); }

  const ScanCounts& counts() const { return counts_; }
  // Adds the time of start() and of finding rows to `total`, which must outlive the scan; null:
  // nothing is measured.
  void measure(std::chrono::nanoseconds* total) { time_ = total; }

 private:
  struct PrefetchedColumn {
    const char* data;
    size_t bytes;  // size of a value
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
  bool narrow_by_ordered_index();
  void set_access(const ColumnView& column, ScanCounts::Access access);
  void add_verdicts();
  // `most_rows`: the largest number of rows that will be read.
  bool arrange(size_t most_rows);
  size_t rows_wanted(std::span<const Operand> operands) const;
  bool sort_all();
  bool select_first(size_t count);
  bool next_block() {
    const TimeOf time(time_);
    return refill();
  }
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
  std::vector<uint32_t> owned_;   // storage of source_.list, if this scan made it
  size_t run_ = 0, run_end_ = 0;  // for Descending: remaining rows of one value

  // Prefetches the values of the rows of a list, which are scattered.
  std::vector<PrefetchedColumn> prefetched_;
  std::vector<const PackedInts*> prefetched_packed_;

  std::vector<uint32_t> block_;
  bool contiguous_ = false;  // the block is the rows from row_ on
  size_t at_ = 0, size_ = 0;
  size_t block_rows_ = 0;
  uint32_t row_ = 0;

  ScanCounts counts_;
  std::chrono::nanoseconds* time_ = nullptr;
};

}  // namespace tracebraid
