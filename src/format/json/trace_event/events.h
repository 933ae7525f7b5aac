// Events: what the members of an event object mean, by phase (spec json 4).
//
// Input: the members of one event object. Output: events in the batch of the Piece, and PieceFacts.
// Called by read_elements().
#pragma once

#include "format/json/trace_event/piece.h"

namespace tracebraid::json {

// Adds the event to the piece, or counts why it cannot.
void write_event(Piece& piece, Members& members);

}  // namespace tracebraid::json
