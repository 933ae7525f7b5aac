// Cpus: which CPUs were seen, and what files say of them (spec clocks 12.7).
#pragma once

#include <span>
#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/placed_batch.h"
#include "tables/store.h"

namespace tracebraid {

inline constexpr uint32_t kCpusOfMachine = 4096;

// Row of cpu. `cpu` must be below kCpusOfMachine.
constexpr uint32_t ucpu_of(uint32_t machine, uint32_t cpu) {
  return machine * kCpusOfMachine + cpu;
}

class Cpus {
 public:
  // `cpu` was named by something; so there are all the CPUs below it, too.
  // Whether it is a number that a CPU can have.
  bool note(uint32_t machine, int64_t cpu);
  // Rows up to the last CPU that was noted or described by a batch.
  void fill(std::span<const PlacedBatch> batches, DeferredArgs& args, Store& store);

 private:
  std::vector<uint32_t> counts_;  // by machine
};

}  // namespace tracebraid
