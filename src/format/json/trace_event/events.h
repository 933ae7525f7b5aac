// Events: interprets the members of an event object, by phase (spec json 4).
//
// Input: the members of one event object. Output: events in the batch of the Chunk, and ChunkFacts.
// Called by read_elements().
#pragma once

#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

// Adds the event to the chunk, or counts why it is dropped.
void write_event(Chunk& chunk, Members& members);

}  // namespace tracebraid::json
