// Cpus: rows of cpu, from events and from the facts of files (spec clocks 12.7).
#pragma once

#include <span>
#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/placed_batch.h"
#include "tables/store.h"

namespace tracebraid {

inline constexpr uint32_t kCpusOfMachine = 4096;

// Returns the row of cpu. Requires: `cpu` is below kCpusOfMachine.
constexpr uint32_t ucpu_of(uint32_t machine, uint32_t cpu) {
  return machine * kCpusOfMachine + cpu;
}

class Cpus {
 public:
  // Notes that `cpu`, and so all CPUs below it, exist. Returns whether it is a valid number of a
  // CPU.
  bool note(uint32_t machine, int64_t cpu);
  // Creates the rows up to the last CPU that was noted or described by a batch.
  void fill(std::span<const PlacedBatch> batches, DeferredArgs& args, Store& store);

 private:
  std::vector<uint32_t> counts_;  // by machine
};

}  // namespace tracebraid
