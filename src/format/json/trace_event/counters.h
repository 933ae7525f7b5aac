// Counters: events of phase 'C' (spec json 4.6).
#pragma once

#include <cstdint>

#include "format/json/trace_event/piece.h"

namespace tracebraid::json {

// `ts` is in ns of the file's clock.
void write_counter(Piece& piece, const Members& members, int64_t ts);

}  // namespace tracebraid::json
