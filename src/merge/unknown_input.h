// Describes inputs of which no format accepts the first bytes.
#pragma once

#include <string>

#include "format/format.h"

namespace tracebraid {

// Returns what the first bytes look like, the nearest formats, and what to do, as one phrase. It
// ends with the text of the reference (spec clocks 11.1), which programs search for.
std::string describe_unknown(const Peek& peek);

}  // namespace tracebraid
