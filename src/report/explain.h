// How the events of one file got onto the timeline, told in plain words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tables/store.h"

namespace tracebraid {

// `file` is a path of the report, or the end of one behind a '/'. Nothing if no file
// has it.
std::optional<std::string> explain_file(const Store& store, std::string_view file);

}  // namespace tracebraid
