// The text of `query --stats`.
#pragma once

#include <string>

#include "engine/connection.h"

namespace tracebraid {

// Returns a paragraph for each statement: its operators with rows and milliseconds, then the time
// that SQLite took itself.
std::string stats_text(const QueryStats& stats);

}  // namespace tracebraid
