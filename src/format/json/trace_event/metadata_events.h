// Metadata events: phase 'M' (spec json 4.14).
#pragma once

#include "format/json/trace_event/piece.h"

namespace tracebraid::json {

void write_metadata(Piece& piece, const Members& members);

}  // namespace tracebraid::json
