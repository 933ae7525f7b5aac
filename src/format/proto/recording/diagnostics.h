// Rules about the config of a recording that make its data worse than it could be (spec proto-2 1).
#pragma once

#include <string_view>

#include "event/diagnostic.h"

namespace tracebraid::proto {

// Judges a TraceConfig.
ConfigDiagnostics judge_trace_config(uint32_t machine, std::string_view config);

}  // namespace tracebraid::proto
