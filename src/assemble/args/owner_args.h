// OwnerArgs: collects the args of processes and threads from several events.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <vector>

#include "assemble/args/deferred_args.h"
#include "column/column.h"

namespace tracebraid {

class OwnerArgs {
 public:
  void add(uint32_t row, ArgSource args) {
    if (row != kNone && args) sets_[row].push_back(args);
  }
  // Creates the sets; later values replace earlier ones.
  void fill(DeferredArgs& args, Column<OptRow>& column) const;

 private:
  absl::flat_hash_map<uint32_t, std::vector<ArgSource>> sets_;  // by row of the owner
};

}  // namespace tracebraid
