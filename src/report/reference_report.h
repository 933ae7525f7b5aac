// Writes what a strict reader loses of a file, as text and as JSON.
#pragma once

#include <string>

#include "merge/reference/check.h"

namespace tracebraid {

std::string reference_text(const reference::Report& report);
// Times in ns, offsets in bytes of the uncompressed file.
std::string reference_json(const reference::Report& report);

}  // namespace tracebraid
