// Counts the events of one payload, and finds the times within it that have clocks of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "format/proto/reference/tally.h"

namespace tracebraid::reference {

// Returns whether the payload of a packet is none: settings, statistics, names.
bool is_without_events(uint32_t field);

// Adds the events of a payload.
void count_events(uint32_t field, std::string_view payload, EventCounts& counts);

struct TrackEventHead {
  EventKind kind = EventKind::TrackEvent;
  std::optional<int64_t> absolute_us;  // replaces the packet's timestamp
  bool has_delta = false;
};
TrackEventHead read_track_event(std::string_view message);

struct KernelEvent {
  EventKind kind = EventKind::Kernel;
  int64_t ticks = 0;
};
struct KernelBundle {
  bool has_cpu = false;
  uint64_t clock = 0;  // FtraceClock
  std::optional<int64_t> ftrace_timestamp, boot_timestamp;
  std::vector<KernelEvent> events;  // in order
};
// Reuses the memory of `bundle`.
void read_bundle(std::string_view message, KernelBundle& bundle);

}  // namespace tracebraid::reference
