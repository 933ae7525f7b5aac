// HeapGraphs: rows of the tables heap_graph_* (spec proto 6.8).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <span>

#include "assemble/placed_batch.h"
#include "tables/store.h"

namespace tracebraid {

class HeapGraphs {
 public:
  explicit HeapGraphs(Store& store) : store_(store) {}

  // `upid` is a row of process, or kNone.
  void add(int64_t ts, uint32_t upid, const HeapGraph& graph);

 private:
  void add_objects(int64_t ts, uint32_t upid, const HeapGraph& graph, uint32_t first_class);

  Store& store_;
};

// Sets the deobfuscated names of classes, fields and frames.
void deobfuscate(std::span<const PlacedBatch> batches, Store& store);

}  // namespace tracebraid
