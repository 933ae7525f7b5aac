// The stats of all readers and stages, as one list.
#pragma once

#include <span>

#include "event/stat.h"

namespace tracebraid {

// Indexed by key.
std::span<const StatKind> stat_kinds();
const StatKind& kind_of(StatId stat);

}  // namespace tracebraid
