// RunStarts: the rows where runs of consecutive rows start, as a bit for each row.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "column/column.h"

namespace tracebraid {

// Runs have numbers from 0. The last run has no end here.
class RunStarts {
 public:
  // Adds a run that starts at `row`. Requires: `row` is 0 for the first run, then it increases.
  void add(size_t row) {
    const size_t word = row / kBits;
    while (words_.size() <= word) {
      words_.append(0);
      before_.append(runs_);
    }
    words_.at(word) |= uint64_t{1} << row % kBits;
    ++runs_;
  }

  uint32_t runs() const { return runs_; }
  // Returns whether a run starts at any `row`.
  bool is_start(size_t row) const {
    const size_t word = row / kBits;
    return word < words_.size() && (words_[word] >> row % kBits & 1) != 0;
  }
  // Returns the number of the run of a row. O(1). Requires: there are runs.
  uint32_t run_of(size_t row) const {
    const size_t word = row / kBits;
    if (word >= words_.size()) return runs_ - 1;
    const uint64_t up_to_row = words_[word] << (kBits - 1 - row % kBits);
    return before_[word] + static_cast<uint32_t>(std::popcount(up_to_row)) - 1;
  }
  // Returns the first row of a run. O(log rows). Requires: `run` exists.
  size_t first_row(uint32_t run) const;
  // Returns the first row of the run of a row. O(1) in short runs. Requires: there are runs.
  size_t first_row_of(size_t row) const {
    const size_t word = row / kBits;
    if (word < words_.size()) {
      const uint64_t up_to_row = words_[word] << (kBits - 1 - row % kBits);
      if (up_to_row != 0) return row - static_cast<size_t>(std::countl_zero(up_to_row));
    }
    return first_row(run_of(row));
  }

  size_t memory() const { return words_.size() * (sizeof(uint64_t) + sizeof(uint32_t)); }

  // For files: the bits, and the number of runs before each word of bits.
  std::span<const uint64_t> words() const { return words_.values(); }
  std::span<const uint32_t> before() const { return before_.values(); }
  // Uses memory that must outlive the object, which is read-only from then on. Until are_sound()
  // returned true, results may be wrong, but reads stay in the memory. Requires: equal sizes.
  void view(std::span<const uint64_t> words, std::span<const uint32_t> before);
  // Returns whether the numbers of runs agree with the bits.
  bool are_sound() const;

 private:
  static constexpr size_t kBits = 64;
  Column<uint64_t> words_;
  Column<uint32_t> before_;
  uint32_t runs_ = 0;
};

}  // namespace tracebraid
