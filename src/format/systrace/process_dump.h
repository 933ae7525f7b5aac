// The PROCESS DUMP of a systrace page: the output of ps (spec json 10.9).
#pragma once

#include <string_view>

#include "event/sink.h"

namespace tracebraid::systrace {

// Names processes and threads that have no better name.
void read_process_dump(std::string_view text, EventSink& sink);

}  // namespace tracebraid::systrace
