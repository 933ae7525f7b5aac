// Tally: the events of a file that a strict reader places and loses, by machine and clock.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "clock/reference/tracker.h"

namespace tracebraid::reference {

enum class EventKind : uint8_t {
  Slice,
  SliceEnd,
  Instant,
  Counter,
  State,
  TrackEvent,  // another track event
  Switch,
  Waking,
  Kernel,  // another kernel event
  Log,
  Sample,
  HeapDump,
  HeapGraph,
  Descriptor,
  ProcessTree,
  Packet,  // another packet with events
};
inline constexpr size_t kEventKinds = static_cast<size_t>(EventKind::Packet) + 1;
using EventCounts = std::array<uint64_t, kEventKinds>;

inline constexpr std::array<std::string_view, kEventKinds> kEventNames{
    "slices",        "ends of slices",    "instants",      "counter values",
    "states",        "track events",      "switches",      "wakeups",
    "kernel events", "log lines",         "samples",       "heap dumps",
    "heap graphs",   "track descriptors", "process lists", "other packets",
};

enum class LossCause : uint8_t {
  UnknownSource,
  UnknownTarget,
  NoPath,
  BeforeZero,
  NoState,  // the sequence lost packets before
};
inline constexpr size_t kLossCauses = static_cast<size_t>(LossCause::NoState) + 1;

// The stat that the reference counts for a cause.
std::string_view stat_of(LossCause cause);

struct LostEvents {
  EventCounts counts{};
  uint64_t first_at = 0;  // offset of the first packet
  Node source;            // the clock of the first, if it has one
  bool is_any = false;
};

// The events of one machine of a file that read one clock.
struct ClockTally {
  EventCounts all{};
  std::array<LostEvents, kLossCauses> lost{};
  std::optional<int64_t> first_ns, last_ns;  // trace times of events that are not lost
};

// By row of machine and clock; clock 0: times without a clock.
using Tally = std::map<std::pair<uint32_t, uint32_t>, ClockTally>;

uint64_t total(const EventCounts& counts);

}  // namespace tracebraid::reference
