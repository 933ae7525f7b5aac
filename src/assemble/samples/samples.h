// Samples: rows of profiler_sample and its related tables, of json_sample, and of heap dumps (spec
// json 4.12, proto 6.8).
//
// Input: samples and heap dumps of batches. Output: rows of the profile tables. Called by dispatch.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <tuple>
#include <utility>

#include "assemble/identity/cpus.h"
#include "assemble/identity/identity.h"
#include "assemble/samples/stacks.h"
#include "assemble/tracks/tracks.h"

namespace tracebraid {

// An event of kind Sample or HeapDump with its owner.
struct SampledEvent {
  const Event* event;
  const PlacedBatch* from;
  uint32_t batch;    // index of `from`
  uint32_t machine;  // row of machine
};

class Samples {
 public:
  Samples(const Names& names, Identity& identity, Cpus& cpus, Tracks& tracks, Stacks& stacks,
          Problems& problems, Store& store);

  void add(const SampledEvent& at);
  void add_heap_dump(const SampledEvent& at);
  // Adds aggregate samples and frees them. `profile` is their row of aggregate_profile.
  void add_aggregate(uint32_t batch, uint32_t profile, AggregateSamples& samples);

 private:
  using HeapKey = std::pair<uint32_t, uint32_t>;  // upid, callsite
  // File, upid, number of the callsite in the file, heap.
  using HeapSource = std::tuple<FileId, uint32_t, uint64_t, StringId>;

  uint32_t task_context(const SampledEvent& at, const SampleExtra& extra, uint32_t utid);
  uint32_t execution_context(const SampledEvent& at, const SampleExtra& extra);
  uint32_t async_context(const SampledEvent& at, uint32_t index);
  uint32_t counters(const SampledEvent& at, uint32_t first);
  void add_profiler_row(const SampledEvent& at, const SampleExtra& extra, uint32_t utid,
                        uint32_t callsite);
  void add_json_row(const SampledEvent& at, const SampleExtra& extra, uint32_t utid,
                    uint32_t callsite);
  void add_heap_sample(const SampledEvent& at, const HeapKey& key, const HeapSample& sample);
  void add_allocation(int64_t ts, const HeapKey& key, StringId heap, int64_t count, int64_t bytes);

  Identity& identity_;
  Cpus& cpus_;
  Tracks& tracks_;
  Stacks& stacks_;
  Problems& problems_;
  Store& store_;
  StringId unknown_heap_, java_heap_;
  using TaskKey = std::tuple<uint32_t, uint32_t, uint32_t>;  // upid, utid, async context
  absl::flat_hash_map<TaskKey, uint32_t> task_contexts_;
  std::pair<TaskKey, uint32_t> last_task_{{kNone, kNone, kNone},
                                          kNone};  // mostly equal to the next
  absl::flat_hash_map<std::pair<uint32_t, StringId>, uint32_t> execution_contexts_;
  absl::flat_hash_map<AsyncContext, uint32_t> async_contexts_;
  // Totals up to the last dump; and those of the callsite before the first dump of the source.
  absl::flat_hash_map<HeapKey, HeapSample> heap_totals_;
  absl::flat_hash_map<HeapSource, HeapSample> heap_bases_;
};

}  // namespace tracebraid
