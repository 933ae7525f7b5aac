#include "format/common/script_frame.h"

namespace tracebraid {

uint32_t script_frame(EventSink& sink, const ScriptFunction& function) {
  if (function.name == "(root)") return kNone;
  StackFrame frame;
  frame.name = sink.string(function.name.empty() ? "(anonymous)" : function.name);
  frame.mapping = sink.mapping({.name = sink.string(function.url)});
  if (!function.url.empty()) {
    frame.has_symbol = true;
    frame.source_file = sink.string(function.url);
    frame.line = function.line;
  }
  if (!function.deopt_reason.empty()) {
    sink.open_args();
    const StringId key = sink.string("deopt_reason");
    sink.arg(sink.arg_key({key, key}), ArgType::String, sink.string(function.deopt_reason).row);
    frame.args = sink.close_args();
  }
  return sink.frame(frame);
}

}  // namespace tracebraid
