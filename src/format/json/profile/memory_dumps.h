// Memory dumps: events 'v' of one process and 'V' of all (spec json 4.15).
#pragma once

#include <cstdint>

#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

// `ts` is in ns of the file's clock.
void write_memory_dump(Chunk& chunk, const Members& members, char phase, int64_t ts);

}  // namespace tracebraid::json
