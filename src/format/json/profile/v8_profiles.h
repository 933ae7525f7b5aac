// V8's samples: of the legacy sampler and of streaming profiles (spec json 4.12).
#pragma once

#include <span>

#include "event/sink.h"
#include "format/json/profile/chunk_stacks.h"

namespace tracebraid::json {

// Adds the samples that the events of one file make, given in the file's order.
void write_v8_samples(std::span<const V8Event> events, EventSink& sink, uint32_t clock);

}  // namespace tracebraid::json
