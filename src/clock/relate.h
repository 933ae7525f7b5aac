// ClockRelations: the relation of any two clocks, by the best path between the two. Readings become
// readings of the other clock, with a bound, and two readings get an order.
//
// In: a solved clock graph. Out: readings, bounds and orders. Called by engine for SQL's
// clock_convert() and clock_error(), and for the order of two events (spec viewer 8.3).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "clock/clock_graph.h"
#include "clock/error_bounds.h"

namespace tracebraid {

// What one clock showed, ns.
struct ReadingNs {
  ClockId clock;
  int64_t ns = 0;
};

enum class ReadingOrder : uint8_t {
  Before,     // the first reading is certainly the earlier one
  After,      // the second reading is certainly the earlier one
  Same,       // equal readings of one clock
  Undecided,  // the bound allows both
  NotKnown,   // nothing relates the clocks, or a hop is a guess
};

// The distance of two readings.
struct ReadingDistance {
  ReadingOrder order = ReadingOrder::NotKnown;
  std::optional<int64_t> gap_ns;  // second minus first, on the second clock; none: no relation
  int64_t bound_ns = kUnbounded;  // of the gap
};

// Returns the distance with its order, which is certain if the gap is larger than the bound.
ReadingDistance distance_within(int64_t gap_ns, int64_t bound_ns);

// Finds the paths to a clock on first use and keeps those to the last `most` clocks, each as large
// as all clocks of the graph. The graph must outlive it. Not for concurrent use.
class ClockRelations {
 public:
  static constexpr size_t kUsualTargets = 16;
  ClockRelations(const ClockGraph& graph, ClockModel model, size_t most = kUsualTargets)
      : graph_(graph), model_(model), most_(most) {}

  // Returns the reading of `to` when `from` shows `reading`, ns; none without a path, and for an
  // ambiguous reading.
  std::optional<int64_t> convert(ClockId from, ClockId to, int64_t reading);
  // Returns the bound of convert() in ns; kUnbounded without a path, and if a hop is a guess.
  int64_t bound(ClockId from, ClockId to, int64_t reading);

  // Returns the path of convert(): the clocks from `from` to `to`, both included, each with the
  // evidence that leads to the next one. Empty without a path.
  struct Step {
    ClockId clock;
    EvidenceKind hop = EvidenceKind::SameClock;  // to the next clock; of the last one, no evidence
  };
  std::vector<Step> path(ClockId from, ClockId to);

  // Readings of one clock that was never set back are certain. Otherwise the order is certain if
  // the readings are further apart than the bound between the two clocks.
  ReadingDistance distance(const ReadingNs& first, const ReadingNs& second);

 private:
  struct Ways {
    Ways(const ClockGraph& graph, ClockId target, ClockModel model)
        : placement(graph.solve_for(target, model)), bounds(graph, placement) {}
    Placement placement;
    ErrorBounds bounds;
    std::map<ClockId, PlaceCursor> cursors;
  };
  Ways& ways_to(ClockId target);
  // Compares two readings of a clock that was set back, by the clock that its path leads to.
  ReadingDistance distance_of_segments(const ReadingNs& first, int64_t second);

  const ClockGraph& graph_;
  const ClockModel model_;
  const size_t most_;
  std::map<ClockId, std::unique_ptr<Ways>> ways_;  // by target
};

}  // namespace tracebraid
