// Additional data of slices: thread times, flows, callstacks, colours.
#pragma once

#include "event/make_event.h"
#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

// Returns the reserved colour that the event names; none without one. Counts unknown names.
StringId colour_of(Chunk& chunk, const Members& members);

// Adds `extra` to the extras of a slice; a colour that is already set stays.
void add_json_extra(Chunk& chunk, EventParts& slice, const JsonExtra& extra);

// Reads thread times, instruction counts and flows of a slice; kNone without any.
enum class ThreadTimes : uint8_t { Ignore, Take };
uint32_t slice_extra(Chunk& chunk, const Members& members, ThreadTimes times);

}  // namespace tracebraid::json
