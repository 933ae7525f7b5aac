// Counters: events of phase 'C' (spec json 4.6).
#pragma once

#include <cstdint>

#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

// `ts` is in ns of the file's clock.
void write_counter(Chunk& chunk, const Members& members, int64_t ts);

}  // namespace tracebraid::json
