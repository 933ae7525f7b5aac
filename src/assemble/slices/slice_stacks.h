// SliceStacks: the callstacks at which slices begin and end (spec proto 2.9, json 3.6).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <span>

#include "assemble/samples/stacks.h"

namespace tracebraid {

class SliceStacks {
 public:
  SliceStacks(Stacks& stacks, Store& store)
      : stacks_(stacks), table_(store.track_event_callstacks) {}

  // Adds the callstack of an event of the slice. With `one_row`, as in JSON, the callstack of the
  // end is stored in the row of the begin; otherwise in a row of its own.
  void add(uint32_t batch, const SliceStack& stack, uint32_t slice, uint32_t track_row,
           bool one_row);
  // Call when rows of slice moved: element i is the new row of row i.
  void move_slices(std::span<const uint32_t> new_rows);

 private:
  Stacks& stacks_;
  TrackEventCallstacksTable& table_;
  absl::flat_hash_map<uint32_t, uint32_t> rows_;  // of slices that an end may add to
};

}  // namespace tracebraid
