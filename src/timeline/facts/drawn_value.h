// The value of a counter's event as the timeline shows it.
//
// In: a Store. Out: values for tiles and details. Called by timeline/timeline.h and
// timeline/events.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "tables/store.h"

namespace tracebraid::timeline {

// The track type of idle states of CPUs.
inline constexpr std::string_view kIdleStates = "cpu_idle";

// A CPU that leaves its idle state has the state -1, which the kernel and the table have as an
// unsigned number of 32 bits. Drawn as that, no other state would be seen.
inline double drawn_value(bool is_idle_state, double value) {
  return is_idle_state && value == std::numeric_limits<uint32_t>::max() ? -1 : value;
}

inline bool is_idle_state(const Store& store, StringId track_type) {
  return track_type && store.strings.get(track_type) == kIdleStates;
}

}  // namespace tracebraid::timeline
