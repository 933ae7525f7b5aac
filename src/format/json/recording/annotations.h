// Annotations: viewers' notes in `traceAnnotations` (spec json 5.5).
#pragma once

#include <string_view>

#include "event/sink.h"

namespace tracebraid::json {

// `json` is the text of the array in the file.
void write_annotations(std::string_view json, EventSink& sink);

}  // namespace tracebraid::json
