// SourceClocks: the clocks of events that are on no track (spec viewer 2.1, E1).
//
// Input: all timed events. Output: rows of source_clock. Called by assemble_tables().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assemble/placed_batch.h"
#include "tables/store.h"

namespace tracebraid {

class SourceClocks {
 public:
  // Notes the compact scheduler events of all batches.
  explicit SourceClocks(std::span<const PlacedBatch> batches);

  void note(const Event& event, uint32_t batch) {
    const size_t at = firsts_[batch] + event.clock;
    if (at < firsts_[batch + 1]) kinds_[at] |= uint64_t{1} << static_cast<unsigned>(event.what());
  }
  // Adds a row for each table, file, machine and clock of which events were noted.
  void fill(std::span<const PlacedBatch> batches, Store& store) const;

 private:
  std::vector<size_t> firsts_;   // of kinds_, by batch; one more
  std::vector<uint64_t> kinds_;  // bits by EventKind, by clock of the batches
};

}  // namespace tracebraid
