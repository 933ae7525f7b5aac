// Trace bounds: the interval of time that has rows (spec clocks 9.3).
#pragma once

#include "tables/store.h"

namespace tracebraid {

// Sets Store::trace_start and trace_end.
void find_bounds(Store& store);

}  // namespace tracebraid
