// Gpus: rows of the gpu table, in the order of first use.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>
#include <utility>

#include "assemble/args/deferred_args.h"
#include "assemble/placed_batch.h"
#include "tables/store.h"

namespace tracebraid {

class Gpus {
 public:
  // Creates the rows of GPUs that files describe, first.
  Gpus(std::span<const PlacedBatch> batches, DeferredArgs& args, Store& store);

  // Returns the row of gpu. `gpu` is its number on the machine.
  uint32_t row(uint32_t machine, uint32_t gpu);

 private:
  void describe(const GpuFacts& facts, uint32_t row);

  GpuTable& table_;
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, uint32_t> rows_;  // by machine and number
};

}  // namespace tracebraid
