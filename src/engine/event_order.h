// The order of two events of a timeline (spec viewer 8.3): which was first, by what, and whether
// that is certain. In: a timeline and two events. Out: an EventOrder. Called by server and by SQL's
// event_order().
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clock/relate.h"
#include "timeline/timeline.h"

namespace tracebraid {

struct MergedClocks;

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

// A clock of a path, and the evidence that leads to the next one.
struct OrderStep {
  uint32_t clock = 0;  // row of the table clock
  std::string label;
  std::optional<uint32_t> edge;     // row of clock_edge; none for the last clock
  std::string source;               // of the edge
  std::optional<int64_t> bound_ns;  // of the best observation of the edge; none for a guess
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
  // The clocks from that of `first` to that of `second`, on which gap and bound rest. Empty if both
  // are one clock, if nothing relates them, and if the times on the timeline are compared.
  std::vector<OrderStep> path;
};

// What a clock shows at the start of an event, or at a time of the timeline.
struct ClockTime {
  uint32_t clock = 0;  // row of the table clock
  std::string label;
  std::optional<int64_t> reading_ns;  // none: nothing relates the clock, or it is ambiguous
  std::optional<int64_t> bound_ns;    // of the reading; none if nothing limits the error
  bool is_own = false;                // the clock may be that of the event
};

// "before", "after", "same", "undecided" and "not_known"; "clock", "flow" and "bounds".
std::string_view name_of(ReadingOrder order);
std::string_view name_of(OrderReason reason);

// Compares the starts of events. Keeps the paths between the clocks of the last events, so that
// another pair of the same clocks needs no solving. Thread-safe: calls wait for each other.
class EventOrders {
 public:
  explicit EventOrders(std::shared_ptr<const MergedClocks> clocks);
  ~EventOrders();

  // Errors: NotFound for a row that is on no track, and if the trace has no clock. Requires: the
  // timeline is that of the clocks.
  Result<EventOrder> order(const timeline::Timeline& timeline, EventKey first,
                           EventKey second) const;

  // Returns the readings of the clocks `to` (rows of the table clock), or of the wall clock of each
  // machine if empty. Those of an event come behind the readings of its own clock, or of all that
  // are possible, and are converted from it if there is one. Errors: NotFound for an event that is
  // on no track and for a clock that the trace does not have.
  Result<std::vector<ClockTime>> readings_at(const timeline::Timeline& timeline, EventKey event,
                                             std::span<const uint32_t> to) const;
  // The same at a reading of the clock `from` (a row of clock); without it, at a trace time.
  Result<std::vector<ClockTime>> readings_at(const Store& store, int64_t reading_ns,
                                             std::optional<uint32_t> from,
                                             std::span<const uint32_t> to) const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace tracebraid
