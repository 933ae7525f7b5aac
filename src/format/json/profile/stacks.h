// Callstacks and samples of events (spec json 3.6, 4.12).
//
// Input: the members of one event object. Output: samples and callsites of the batch, and
// ChunkStacks for frames that only the whole file knows. Called by trace_event/.
#pragma once

#include <cstdint>

#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

// The callstacks of a slice or instant: index of slice_stacks, or kNone.
uint32_t slice_stack(Chunk& chunk, const Members& members);
// The callstack of a flow event: sets the callsite, or notes whose it will be.
// `index` is that of its FlowExtra.
void note_flow_stack(Chunk& chunk, const Members& members, uint32_t index);
inline bool has_stack(const Members& members) {
  return members.has(Field::StartFrame) || members.has(Field::StartStack);
}
// Scopes other than a thread have no callstacks.
void ignore_stack(Chunk& chunk, const Members& members);

// Phase 'P'.
void write_sample(Chunk& chunk, const Members& members, int64_t ts);
// Instants and metadata that tell where V8 put its code.
void note_v8_code(Chunk& chunk, const Members& members);
// 'M' stackFrames.
void note_frames(Chunk& chunk, const Members& members);

}  // namespace tracebraid::json
