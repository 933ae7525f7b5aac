// HeapGraphs: rows of the tables heap_graph_* (spec proto 6.8, proto-2 8, 10).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <utility>

#include "assemble/placed_batch.h"
#include "tables/store.h"

namespace tracebraid {

class HeapGraphs {
 public:
  explicit HeapGraphs(Store& store) : store_(store) {}

  // `upid` is a row of process, or kNone.
  void add(int64_t ts, uint32_t upid, const HeapGraph& graph);
  // `utid` and `callsite` are rows of the thread and its stack, or kNone.
  void add(int64_t ts, uint32_t upid, const OutOfMemory& state, uint32_t utid, uint32_t callsite);

 private:
  uint32_t add_row(int64_t ts, uint32_t upid);
  uint32_t add_bitmap(const HeapGraphBitmap& bitmap);
  void add_objects(int64_t ts, uint32_t upid, const HeapGraph& graph, uint32_t first_class);

  Store& store_;
  // Rows of processes without a graph, by upid and time: a graph of that time completes the row.
  absl::flat_hash_map<std::pair<uint32_t, int64_t>, uint32_t> rows_;
};

}  // namespace tracebraid
