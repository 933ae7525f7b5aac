// AndroidProcesses: what the framework of Android tells of starts and ends of processes (spec
// proto-2 8). Called by LifeStage.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>

#include "assemble/args/deferred_args.h"
#include "tables/store.h"

namespace tracebraid {

class AndroidProcesses {
 public:
  explicit AndroidProcesses(Store& store) : store_(store) {}

  // `cells` are named by columns of the table. Later cells of a process replace earlier ones; the
  // first time stays.
  void start(uint32_t upid, int64_t ts, DeferredArgs& args, ArgSource cells);
  void end(uint32_t upid, int64_t ts);

 private:
  uint32_t row_of(uint32_t upid);

  Store& store_;
  absl::flat_hash_map<uint32_t, uint32_t> rows_;  // by upid
};

}  // namespace tracebraid
