// ScriptFrame: a frame of a V8 profile, in the form of its nodes (spec json 4.12, 11).
#pragma once

#include <cstdint>
#include <string_view>

#include "event/sink.h"

namespace tracebraid {

struct ScriptFunction {
  std::string_view name;  // empty: anonymous
  std::string_view url;
  int64_t line = kNoLine;         // from 0
  std::string_view deopt_reason;  // why optimised code was discarded; empty if it was not
};

// Returns the frame of the sink; kNone for the root, which is not a frame.
uint32_t script_frame(EventSink& sink, const ScriptFunction& function);

}  // namespace tracebraid
