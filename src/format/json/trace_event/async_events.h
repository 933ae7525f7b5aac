// Asynchronous events and flows: phases b n e, S F T p, s t f.
#pragma once

#include <cstdint>

#include "format/json/trace_event/piece.h"

namespace tracebraid::json {

// `ts` is in ns of the file's clock.
void write_nestable_async(Piece& piece, const Members& members, char phase, int64_t ts);
void write_legacy_async(Piece& piece, const Members& members, char phase, int64_t ts);
void write_flow(Piece& piece, const Members& members, char phase, int64_t ts);

}  // namespace tracebraid::json
