// JsonArgs: a JSON value as args, named as those of Trace Event Format (spec json 3.5).
#pragma once

#include <string>
#include <string_view>

#include "event/sink.h"
#include "format/common/json_document.h"

namespace tracebraid {

// Adds `value` to the open arg set: `prefix.member`, `prefix.list[0]`. Leaves out levels deeper
// than some hundred.
void add_json_args(EventSink& sink, std::string_view prefix, const JsonValue& value);

}  // namespace tracebraid
