// Finds a text in a long one.
#pragma once

#include <optional>
#include <string_view>

#include "query/scan/stop_check.h"

namespace tracebraid {

// Returns where the first `part` in `text` from `from` on begins, or npos. Returns nothing if
// `check` stopped.
std::optional<size_t> find_text(std::string_view text, std::string_view part, size_t from,
                                PacedStopCheck& check);

}  // namespace tracebraid
