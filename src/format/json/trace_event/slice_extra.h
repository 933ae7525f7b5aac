// What slices say beyond their fields: thread times, flows, callstacks, colours.
#pragma once

#include "event/make_event.h"
#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

// The reserved colour that the event names; none without one. Unknown names count.
StringId colour_of(Chunk& chunk, const Members& members);

// Adds `extra` to what a slice has; a colour that it has already stays.
void add_json_extra(Chunk& chunk, EventParts& slice, const JsonExtra& extra);

// Thread times, instruction counts and flows of a slice; kNone without any.
enum class ThreadTimes : uint8_t { Ignore, Take };
uint32_t slice_extra(Chunk& chunk, const Members& members, ThreadTimes times);

}  // namespace tracebraid::json
