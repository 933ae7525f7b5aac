// Heap dumps inside memory dumps: bytes by callstack and type (spec json 4.15).
#pragma once

#include <cstdint>

#include "format/json/trace_event/chunk.h"
#include "format/json/wire/dom.h"

namespace tracebraid::json {

// Reads `heaps` and `heaps_v2` of a dump at `ts` (ns): adds rows to memory.heaps.
void read_heaps(Chunk& chunk, const Members& members, const Dom& heaps, int64_t pid);
void read_heaps_v2(Chunk& chunk, const Members& members, const Dom& heaps, int64_t pid, int64_t ts);
// Handles 'M' typeNames.
void note_type_names(Chunk& chunk, const Members& members);

}  // namespace tracebraid::json
