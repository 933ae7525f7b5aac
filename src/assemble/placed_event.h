// PlacedEvent: an event as passed to stages, in order of time.
#pragma once

#include <cstdint>

#include "assemble/args/args_builder.h"
#include "assemble/placed_batch.h"

namespace tracebraid {

struct PlacedEvent {
  const Event& event;
  const PlacedBatch& from;
  uint32_t batch;     // index of `from`
  uint64_t sequence;  // file order at equal times

  ArgSource args() const { return {batch, event.args}; }
  uint32_t machine() const { return from.machine_of(event); }  // row
};

}  // namespace tracebraid
