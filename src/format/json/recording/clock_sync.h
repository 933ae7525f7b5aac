// Clock sync: evidence in a file that relates its clock to others, by name or by moments that other
// recordings noted as well (spec json 6).
#pragma once

#include <string_view>

#include "format/json/recording/facts.h"
#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

// Handles an event of phase 'c' at `ts`, ns of the file's clock.
void note_clock_sync(Chunk& chunk, const Members& members, int64_t ts);

// Handles an asynchronous event; ignores names other than ClockSyncEvent.<id>.
void note_legacy_clock_sync(Chunk& chunk, std::string_view name, char phase, int64_t ts);

// Emits the markers of the whole file, and the domain that it names.
void write_clock_sync(FileFacts& facts, EventSink& sink);

}  // namespace tracebraid::json
