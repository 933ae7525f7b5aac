// Placement: where on the timeline each clock lies. Decided once, when all
// evidence is in; only read from then on, from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "clock/clock_key.h"
#include "clock/clock_map.h"

namespace tracebraid {

// Converts the readings of one clock. Cheap to copy; one a thread.
class PlaceCursor {
 public:
  PlaceCursor() = default;
  PlaceCursor(int64_t tick_ns, std::vector<MapCursor> hops)
      : tick_ns_(tick_ns), first_(hops.front()), rest_(hops.begin() + 1, hops.end()) {}

  // False, and `ns` untouched, when the clock has no place, the reading is one that
  // the clock showed twice, or the time does not fit 64 bits.
  bool place(int64_t ticks, int64_t& ns) {
    int64_t reading = ticks;
    if (tick_ns_ != 1 && __builtin_mul_overflow(ticks, tick_ns_, &reading)) [[unlikely]]
      return false;
    return place_ns(reading, ns);
  }

  // The same for a reading that is in ns already.
  bool place_ns(int64_t reading, int64_t& ns) {
    int64_t out = 0;
    if (!first_.convert(reading, out)) [[unlikely]]
      return false;
    for (MapCursor& hop : rest_)
      if (!hop.convert(out, out)) return false;
    ns = out;
    return true;
  }

  // Something relates the clock to trace time.
  bool has_place() const { return first_.has_map(); }
  // Why place() said no to the ticks although the clock has a place: the clock showed
  // them twice. Otherwise the time does not fit.
  bool is_ambiguous(int64_t ticks);

 private:
  int64_t tick_ns_ = 1;
  MapCursor first_;
  std::vector<MapCursor> rest_;  // only where composing the maps would have taken too much
};

class Placement {
 public:
  struct Node {
    static constexpr uint32_t kNoRoute = ~uint32_t{0};
    uint32_t route = kNoRoute;
    ClockId next;                                // towards trace time; none for itself
    EvidenceKind hop = EvidenceKind::SameClock;  // to `next`
    // Of all hops from here on: the weakest kind, the sum of how far off they
    // may be.
    EvidenceKind weakest = EvidenceKind::SameClock;
    int64_t uncertainty_ns = 0;
    int64_t tick_ns = 1;
    uint32_t stretches = 1;  // in which it never went back, compared with `next`
    bool placed() const { return route != kNoRoute; }
  };
  // A map, and the route of what it leads to; kNoRoute when that is trace time.
  struct Route {
    ClockMap map;
    uint32_t next = Node::kNoRoute;
  };

  Placement() = default;
  Placement(ClockId trace_time, ClockModel model, std::vector<Node> nodes,
            std::vector<Route> routes)
      : trace_time_(trace_time),
        model_(model),
        nodes_(std::move(nodes)),
        routes_(std::move(routes)) {}

  ClockId trace_time() const { return trace_time_; }
  ClockModel model() const { return model_; }
  const Node& node(ClockId clock) const { return nodes_[clock.row]; }

  std::optional<TraceTime> place(Reading reading) const;
  // No place for ClockId none.
  PlaceCursor cursor(ClockId clock) const;
  // The clocks from this one to trace time, both included. Empty without a place.
  std::vector<ClockId> path(ClockId clock) const;
  // Pieces of all maps, to see that they stay in proportion.
  size_t pieces() const;

 private:
  ClockId trace_time_;
  ClockModel model_ = ClockModel::Step;
  std::vector<Node> nodes_;  // by ClockId
  std::vector<Route> routes_;
};

}  // namespace tracebraid
