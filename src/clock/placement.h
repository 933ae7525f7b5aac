// Placement: the position of each clock on the timeline. ClockGraph::solve() makes it once from all
// evidence; then it is immutable and safe to read from any thread. merge/place converts readings
// with it; the report describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "clock/clock_key.h"
#include "clock/clock_map.h"

namespace tracebraid {

// Converts the readings of one clock. Cheap to copy; use one per thread.
class PlaceCursor {
 public:
  PlaceCursor() = default;
  PlaceCursor(int64_t tick_ns, std::vector<MapCursor> hops)
      : tick_ns_(tick_ns), first_(hops.front()), rest_(hops.begin() + 1, hops.end()) {}
  // Applies the hops, then those of `rest`, which has a place.
  PlaceCursor(int64_t tick_ns, std::vector<MapCursor> hops, const PlaceCursor& rest)
      : PlaceCursor(tick_ns, std::move(hops)) {
    rest_.push_back(rest.first_);
    rest_.insert(rest_.end(), rest.rest_.begin(), rest.rest_.end());
  }

  // Returns false and leaves `ns` unchanged if the clock has no place, the reading is ambiguous, or
  // the time does not fit into 64 bits.
  bool place(int64_t ticks, int64_t& ns) {
    int64_t reading = ticks;
    if (tick_ns_ != 1 && __builtin_mul_overflow(ticks, tick_ns_, &reading)) [[unlikely]]
      return false;
    return place_ns(reading, ns);
  }

  // Places a reading in ns.
  bool place_ns(int64_t reading, int64_t& ns) {
    int64_t out = 0;
    if (!first_.convert(reading, out)) [[unlikely]]
      return false;
    for (MapCursor& hop : rest_)
      if (!hop.convert(out, out)) return false;
    ns = out;
    return true;
  }

  // Whether all readings from `low` to `high` ticks have places, in their order.
  bool is_steady(int64_t low, int64_t high) {
    if (__builtin_mul_overflow(low, tick_ns_, &low) ||
        __builtin_mul_overflow(high, tick_ns_, &high))
      return false;
    const auto passes = [&](MapCursor& hop) {
      return hop.is_steady(low, high) && hop.convert(low, low) && hop.convert(high, high);
    };
    if (!passes(first_)) return false;
    for (MapCursor& hop : rest_)
      if (!passes(hop)) return false;
    return true;
  }

  // Whether a path leads from the clock to trace time.
  bool has_place() const { return first_.has_map(); }
  // Whether place() fails for `ticks` because they are ambiguous; otherwise the time does not fit.
  // Requires: has_place().
  bool is_ambiguous(int64_t ticks);

 private:
  int64_t tick_ns_ = 1;
  MapCursor first_;
  std::vector<MapCursor> rest_;  // unless the maps were composed into `first_`
};

class Placement {
 public:
  struct Node {
    static constexpr uint32_t kNoRoute = ~uint32_t{0};
    uint32_t route = kNoRoute;
    ClockId next;                                // on the path to trace time; none for trace time
    EvidenceKind hop = EvidenceKind::SameClock;  // to `next`
    // The weakest kind and the sum of the bounds of all hops from here.
    EvidenceKind weakest = EvidenceKind::SameClock;
    int64_t uncertainty_ns = 0;
    int64_t tick_ns = 1;
    uint32_t segments = 1;  // number of segments in which the clock never goes back against `next`
    bool placed() const { return route != kNoRoute; }
  };
  // A map and the route of its target; kNoRoute if the target is trace time.
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
  // Returns a cursor without a place for ClockId none.
  PlaceCursor cursor(ClockId clock) const;
  // Returns the clocks from `clock` to trace time, both included; empty without a place.
  std::vector<ClockId> path(ClockId clock) const;
  // Returns the number of pieces of all maps, for tests of memory use.
  size_t pieces() const;

 private:
  ClockId trace_time_;
  ClockModel model_ = ClockModel::Step;
  std::vector<Node> nodes_;  // indexed by ClockId
  std::vector<Route> routes_;
};

}  // namespace tracebraid
