// JsonArgs: a JSON value as args, named as those of Trace Event Format (spec json 3.5).
#pragma once

#include <string>
#include <string_view>

#include "event/sink.h"
#include "format/common/json_document.h"

namespace tracebraid {

// Adds `value` to the open arg set as the member `name` of `root`: `root.name.member`,
// `root.name.list[0]`. Leaves out levels deeper than some hundred.
void add_json_arg(EventSink& sink, std::string_view root, std::string_view name,
                  const simdjson::dom::element& value);
// Adds `value` to the open arg set as `root`; nothing for null and an empty object.
void add_json_args(EventSink& sink, std::string_view root, const JsonValue& value);

// A string, number, boolean or null as an arg.
struct JsonScalar {
  ArgType type = ArgType::Null;
  int64_t value = 0;
};
JsonScalar json_scalar(const simdjson::dom::element& value, EventSink& sink);

}  // namespace tracebraid
