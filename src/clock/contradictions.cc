#include "clock/contradictions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace tracebraid {
namespace {

class Finder {
 public:
  Finder(const ClockGraph& graph, const Placement& placement, ErrorBounds& bounds)
      : graph_(graph), bounds_(bounds) {
    for (uint32_t row = 0; row < graph.size(); ++row)
      cursors_.push_back(placement.cursor(ClockId{row}));
  }

  void add(const ClockGraph::Snapshot& snapshot) {
    const auto clocks = graph_.clocks_of(snapshot);
    const auto readings = graph_.readings_of(snapshot);
    std::optional<size_t> first;
    int64_t first_at = 0;
    for (size_t i = 0; i < clocks.size(); ++i) {
      int64_t at = 0;
      if (!cursors_[clocks[i].row].place_ns(readings[i], at)) continue;
      if (!first) {
        first = i;
        first_at = at;
        continue;
      }
      if (graph_.is_excluded(clocks[*first], clocks[i], snapshot.origin.kind)) continue;
      // Most readings agree, so bounds are computed only for the others.
      int64_t apart = 0;
      if (__builtin_sub_overflow(std::max(at, first_at), std::min(at, first_at), &apart))
        apart = kUnbounded;
      if (apart <= snapshot.origin.uncertainty_ns) continue;
      compare(snapshot, clocks[*first], readings[*first], clocks[i], readings[i], apart);
    }
  }

  std::vector<Contradiction> take() { return std::move(found_); }

 private:
  void compare(const ClockGraph::Snapshot& snapshot, ClockId a, int64_t reading_a, ClockId b,
               int64_t reading_b, int64_t apart) {
    int64_t bound = snapshot.origin.uncertainty_ns;
    const EvidenceKind kind = snapshot.origin.kind;
    for (const int64_t part : {bounds_.at(a, reading_a), bounds_.at(b, reading_b),
                               graph_.grain_ns(a, kind), graph_.grain_ns(b, kind)})
      if (__builtin_add_overflow(bound, part, &bound)) return;
    if (apart <= bound) return;
    const auto [at, added] = index_.try_emplace({a, b, snapshot.origin.kind}, found_.size());
    if (added) found_.push_back({.a = a, .b = b, .kind = snapshot.origin.kind});
    Contradiction& worst = found_[at->second];
    ++worst.count;
    if (apart - bound <= worst.apart_ns - worst.bound_ns) return;
    worst.apart_ns = apart;
    worst.bound_ns = bound;
    worst.reading_a = reading_a;
    worst.reading_b = reading_b;
    worst.file = snapshot.origin.file;
    worst.byte_offset = snapshot.origin.byte_offset;
  }

  const ClockGraph& graph_;
  ErrorBounds& bounds_;
  std::vector<PlaceCursor> cursors_;
  std::vector<Contradiction> found_;
  std::map<std::tuple<ClockId, ClockId, EvidenceKind>, size_t> index_;
};

}  // namespace

std::vector<Contradiction> find_contradictions(const ClockGraph& graph, const Placement& placement,
                                               ErrorBounds& bounds) {
  Finder finder(graph, placement, bounds);
  for (const ClockGraph::Snapshot& snapshot : graph.snapshots())
    if (snapshot.origin.uncertainty_ns != kUnbounded) finder.add(snapshot);
  return finder.take();
}

}  // namespace tracebraid
