// Annotations: notes of a viewer in `traceAnnotations` (spec json 5.5).
#pragma once

#include <string_view>

#include "event/sink.h"

namespace tracebraid::json {

// `json` is the array, verbatim.
void write_annotations(std::string_view json, EventSink& sink);

}  // namespace tracebraid::json
