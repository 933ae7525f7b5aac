#include "clock/segment_maps.h"

#include <algorithm>
#include <utility>

namespace tracebraid {

std::optional<ClockId> set_back_clock(const Placement& placement, ClockId clock) {
  std::optional<ClockId> found;
  if (!clock || !placement.node(clock).placed()) return found;
  for (ClockId at = clock; placement.node(at).next; at = placement.node(at).next) {
    if (placement.node(at).segments <= 1) continue;
    if (found) return std::nullopt;
    found = at;
  }
  return found;
}

SegmentMaps::SegmentMaps(const ClockGraph& graph, const Placement& placement, ClockId clock)
    : tick_ns_(placement.node(clock).tick_ns),
      is_guessed_(placement.node(clock).weakest == EvidenceKind::Guessed) {
  const ClockId set_back = *set_back_clock(placement, clock);
  const auto hop_of = [&](ClockId at) {
    return graph.hop(at, placement.node(at).next, placement.node(at).hop, placement.model());
  };
  const auto nature_of = [&](ClockId at) {
    return pair_nature(graph, at, placement.node(at).next, placement.node(at).hop);
  };
  for (ClockId at = clock; at != set_back; at = placement.node(at).next) {
    const ClockGraph::Hop hop = hop_of(at);
    before_.push_back({map_of(hop.observations, hop.model, hop.margin),
                       error_map_of(hop.observations, hop.model, nature_of(at), hop.margin)});
  }
  next_ = placement.node(set_back).next;
  rest_ = placement.cursor(next_);
  const ClockGraph::Hop hop = hop_of(set_back);
  const std::vector<Observation> seen = in_time_order(hop.observations);
  const std::vector<Segment> segments = segments_of(seen);
  reaches_ = reaches_of(seen, segments, hop.margin);
  std::vector<ErrorMap> errors = error_maps_of(seen, segments, hop.model, nature_of(set_back));
  for (size_t i = 0; i < segments.size(); ++i) {
    const auto part =
        std::span(seen).subspan(segments[i].first, segments[i].end - segments[i].first);
    by_segment_.push_back({map_of(part, hop.model), std::move(errors[i])});
  }
}

const std::vector<SegmentMaps::Candidate>& SegmentMaps::candidates(int64_t reading) {
  found_.clear();
  std::optional<int64_t> at = reading;
  for (const Hop& hop : before_)
    if (at) at = hop.map.convert(*at);
  if (!at) return found_;
  for (uint32_t i = 0; i < reaches_.size(); ++i) {
    if (!reaches_[i].holds(*at)) continue;
    const std::optional<int64_t> next = by_segment_[i].map.convert(*at);
    int64_t ts = 0;
    if (next && rest_.place_ns(*next, ts)) found_.push_back({i, ts});
  }
  return found_;
}

PlaceCursor SegmentMaps::cursor(uint32_t segment) const {
  std::vector<MapCursor> hops;
  for (const Hop& hop : before_) hops.emplace_back(hop.map);
  hops.emplace_back(by_segment_[segment].map);
  return {tick_ns_, std::move(hops), rest_};
}

int64_t SegmentMaps::worst(uint32_t segment, int64_t first, int64_t last,
                           ErrorBounds& bounds) const {
  if (is_guessed_) return kUnbounded;
  int64_t sum = 0;
  const auto add_hop = [&](const Hop& hop) {
    sum = add_uncertainty(sum, hop.error.worst(first, last));
    const std::optional<int64_t> a = hop.map.convert(first), b = hop.map.convert(last);
    if (!a && !b) return false;
    first = std::min(a.value_or(*b), b.value_or(*a));
    last = std::max(a.value_or(*b), b.value_or(*a));
    return true;
  };
  for (const Hop& hop : before_)
    if (!add_hop(hop)) return kUnbounded;
  if (!add_hop(by_segment_[segment])) return kUnbounded;
  return add_uncertainty(sum, bounds.worst(next_, first, last));
}

}  // namespace tracebraid
