// Metadata events: phase 'M' (spec json 4.14).
#pragma once

#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

void write_metadata(Chunk& chunk, const Members& members);

}  // namespace tracebraid::json
