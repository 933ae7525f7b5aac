// AsyncSteps: the steps 'T' and 'p' of legacy async slices (spec json 4.9), which divide a slice
// into children once its end is known.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/placed_batch.h"
#include "assemble/problems.h"
#include "assemble/slices/slices.h"
#include "tables/store.h"

namespace tracebraid {

class AsyncSteps {
 public:
  AsyncSteps(DeferredArgs& args, Problems& problems, Store& store)
      : args_(args), problems_(problems), slices_(store.slices) {}

  // `parent` is the open slice of the track, or kNone.
  void add(uint32_t parent, const TrackName& where, const SliceEvent& from);
  // A child slice, and the extra of the step's event.
  struct Made {
    uint32_t slice, parent, batch, extra;
  };
  // Creates the children. Call before Slices::finish().
  std::vector<Made> make_slices(Slices& slices);

 private:
  struct Step {
    int64_t ts;
    StringId name;
    ArgSource args;
    uint32_t extra;
    bool to_next;  // lasts until the next step, not from the last
  };
  struct Parent {
    uint32_t slice;
    FileId file;
    uint32_t machine;
    std::vector<Step> steps;
  };
  void divide(const Parent& parent, Slices& slices, std::vector<Made>& made);

  DeferredArgs& args_;
  Problems& problems_;
  const SliceTable& slices_;
  std::vector<Parent> parents_;
  absl::flat_hash_map<uint32_t, uint32_t> indexes_;  // of parents_, by row of slice
};

}  // namespace tracebraid
