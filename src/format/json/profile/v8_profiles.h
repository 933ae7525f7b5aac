// V8's samples: of the legacy sampler and of streaming profiles (spec json 4.12).
#pragma once

#include <span>

#include "event/sink.h"
#include "format/json/profile/chunk_stacks.h"

namespace tracebraid::json {

// Adds the samples of the events of one file. Requires: events in the order of the file.
void write_v8_samples(std::span<const V8Event> events, EventSink& sink, uint32_t clock);

}  // namespace tracebraid::json
