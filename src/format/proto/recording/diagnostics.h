// Rules about the config of a recording that make its data worse than it could be (spec proto-2 1).
#pragma once

#include <string_view>

#include "event/diagnostic.h"
#include "format/common/proto_wire.h"

namespace tracebraid::proto {

// Returns the findings in a TraceConfig of the machine, an index of EventBatch::machines.
ConfigDiagnostics judge_trace_config(uint32_t machine, std::string_view config);

// Returns whether a TraceConfig.BufferConfig discards new data when it is full.
bool is_discarding(Message buffer);

}  // namespace tracebraid::proto
