// ArgSource: refers to an arg set before it is stored in the table of args.
#pragma once

#include <cstdint>

#include "event/names.h"

namespace tracebraid {

// A set in one of several ArgSets, or none.
struct ArgSource {
  uint32_t source = kNone;  // index of the ArgSets
  uint32_t first = kNone;   // first row of the set in them
  explicit operator bool() const { return first != kNone; }
};

}  // namespace tracebraid
