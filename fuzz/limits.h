// Limits for fuzzers of archives.
#pragma once

#include "container/members.h"

namespace tracebraid {

// Small, so that a run is short for every input.
inline constexpr ContainerLimits kFuzzLimits{.max_member_bytes = 1 << 20,
                                             .max_total_bytes = 4 << 20,
                                             .max_ratio = 2000,
                                             .max_members = 1000,
                                             .max_depth = 5};

}  // namespace tracebraid
