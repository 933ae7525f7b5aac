// Asynchronous events and flows: phases b n e, S F T p, s t f.
#pragma once

#include <cstdint>

#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

// `ts` is in ns of the file's clock.
void write_nestable_async(Chunk& chunk, const Members& members, char phase, int64_t ts);
void write_legacy_async(Chunk& chunk, const Members& members, char phase, int64_t ts);
void write_flow(Chunk& chunk, const Members& members, char phase, int64_t ts);

}  // namespace tracebraid::json
