// JSON text as args.
#pragma once

#include <string_view>

#include "event/sink.h"
#include "format/proto/args/args.h"

namespace tracebraid::proto {

// Adds the members of an object or array below `path`; a scalar becomes an unlisted leaf. Returns
// false if the text is not JSON.
bool add_json(std::string_view text, ArgPath& path, ArraySizes& arrays, EventSink& sink);

}  // namespace tracebraid::proto
