// Writes what a strict reader loses of a file, as text and as JSON.
#pragma once

#include <string>

#include "merge/reference/check.h"

namespace tracebraid {

// Fits a terminal of `width` columns; 0 keeps lines of the table whole.
std::string reference_text(const reference::Report& report, size_t width = 0);
// Times in ns, offsets in bytes of the uncompressed file.
std::string reference_json(const reference::Report& report);

}  // namespace tracebraid
