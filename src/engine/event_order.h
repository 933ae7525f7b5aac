// The order of two events of a timeline (spec viewer 8.3): which was first, by what, and whether
// that is certain. In: a timeline and two events. Out: an EventOrder. Called by server.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "clock/relate.h"
#include "engine/timeline.h"

namespace tracebraid {

struct EventKey {
  timeline::TableKind kind{};
  uint32_t row = 0;
};

// The start of an event as its clock showed it.
struct EventReading {
  std::string label;   // of the clock: "BOOTTIME of watch"
  int64_t reading_ns;  // within 1 ns for each hop of the path to the timeline
};

enum class OrderReason : uint8_t {
  Clock,   // both have one clock
  Flow,    // a flow leads from the start of one to the start of the other
  Bounds,  // of the best path between the two clocks
};

struct EventOrder {
  ReadingOrder order = ReadingOrder::NotKnown;  // Before: the first event is the earlier one
  OrderReason reason = OrderReason::Bounds;
  std::optional<int64_t> gap_ns;    // start of the second minus start of the first
  std::optional<int64_t> bound_ns;  // of the gap; none if nothing limits the error
  // Several clocks are possible for one of the events: the bound is the largest of them.
  bool is_at_most = false;
  // The clocks contradict the flow by more than the bound.
  bool is_contradicted = false;
  // Of the clock with the most events, if several are possible; none without a clock.
  std::optional<EventReading> first, second;
};

// Compares the starts of two events. Solves the clock graph for each clock of the second event.
// Thread-safe. Errors: NotFound for a row that is on no track; of TraceTimeline::run().
Result<EventOrder> order_of_events(const TraceTimeline& timeline, EventKey first, EventKey second);

}  // namespace tracebraid
