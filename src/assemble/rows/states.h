// States: consecutive rows of state on a track (spec proto 3.3).
#pragma once

#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/placed_batch.h"
#include "tables/store.h"

namespace tracebraid {

class States {
 public:
  States(DeferredArgs& args, Store& store) : args_(args), table_(store.states) {}

  // Adds an event of kind State on this row of track.
  void change(uint32_t track_row, const Event& event, ArgSource args);

 private:
  DeferredArgs& args_;
  StateTable& table_;
  std::vector<uint32_t> open_;  // row of state, by row of track
};

}  // namespace tracebraid
