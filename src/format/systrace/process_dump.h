// The PROCESS DUMP of a systrace page: what ps printed (spec json 10.9).
#pragma once

#include <string_view>

#include "event/sink.h"

namespace tracebraid::systrace {

// States the names of processes and threads that have no better one.
void read_process_dump(std::string_view text, EventSink& sink);

}  // namespace tracebraid::systrace
