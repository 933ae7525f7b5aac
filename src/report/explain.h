// Explains in text how the events of one file were placed on the timeline.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

struct Store;

// `file` is a path of the report, or its end after a '/'. Returns nothing if no file matches, and
// an Error of code Usage that lists the files if several match.
Result<std::optional<std::string>> explain_file(const Store& store, std::string_view file);

}  // namespace tracebraid
