// Callstacks and samples of events (spec json 3.6, 4.12).
//
// Input: the members of one event object. Output: samples and callsites of the batch, and
// ChunkStacks for frames that only the whole file knows. Called by trace_event/.
#pragma once

#include <cstdint>

#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

// Returns the callstacks of a slice or instant: index of slice_stacks, or kNone.
uint32_t slice_stack(Chunk& chunk, const Members& members);
// Sets the callsite of a flow event, or stores a reference. `index` is that of its FlowExtra.
void note_flow_stack(Chunk& chunk, const Members& members, uint32_t index);
inline bool has_stack(const Members& members) {
  return members.has(Field::StartFrame) || members.has(Field::StartStack);
}
// Events with another scope than a thread have no callstacks.
void ignore_stack(Chunk& chunk, const Members& members);

// Handles phase 'P'.
void write_sample(Chunk& chunk, const Members& members, int64_t ts);
// Handles instants and metadata with the addresses of V8's code.
void note_v8_code(Chunk& chunk, const Members& members);
// Handles 'M' stackFrames.
void note_frames(Chunk& chunk, const Members& members);

}  // namespace tracebraid::json
