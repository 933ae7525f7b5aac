#include "clock/relate.h"

namespace tracebraid {
namespace {

std::optional<int64_t> difference(int64_t a, int64_t b) {
  int64_t out = 0;
  if (__builtin_sub_overflow(a, b, &out)) return std::nullopt;
  return out;
}

}  // namespace

ReadingDistance distance_within(int64_t gap_ns, int64_t bound_ns) {
  ReadingDistance distance{ReadingOrder::NotKnown, gap_ns, bound_ns};
  if (bound_ns == kUnbounded) return distance;
  // A bound is never negative, so that its negation fits.
  distance.order = gap_ns > bound_ns    ? ReadingOrder::Before
                   : gap_ns < -bound_ns ? ReadingOrder::After
                                        : ReadingOrder::Undecided;
  return distance;
}

ClockRelations::Ways& ClockRelations::ways_to(ClockId target) {
  if (!ways_.contains(target) && ways_.size() >= most_) ways_.clear();
  std::unique_ptr<Ways>& ways = ways_[target];
  if (ways == nullptr) ways = std::make_unique<Ways>(graph_, target, model_);
  return *ways;
}

std::optional<int64_t> ClockRelations::convert(ClockId from, ClockId to, int64_t reading) {
  Ways& ways = ways_to(to);
  const auto [cursor, is_new] = ways.cursors.try_emplace(from);
  if (is_new) cursor->second = ways.placement.cursor(from);
  int64_t ns = 0;
  if (!cursor->second.place_ns(reading, ns)) return std::nullopt;
  return ns;
}

int64_t ClockRelations::bound(ClockId from, ClockId to, int64_t reading) {
  return ways_to(to).bounds.at(from, reading);
}

std::vector<ClockRelations::Step> ClockRelations::path(ClockId from, ClockId to) {
  const Placement& placement = ways_to(to).placement;
  std::vector<Step> steps;
  for (const ClockId clock : placement.path(from))
    steps.push_back({clock, placement.node(clock).hop});
  return steps;
}

ReadingDistance ClockRelations::distance(const ReadingNs& first, const ReadingNs& second) {
  const ClockId trace_time = graph_.trace_time();
  if (first.clock == second.clock) {
    if (trace_time && ways_to(trace_time).placement.node(first.clock).segments > 1)
      return distance_of_segments(first, second.ns);
    const std::optional<int64_t> gap = difference(second.ns, first.ns);
    if (!gap) return {};
    ReadingDistance distance = distance_within(*gap, 0);
    if (distance.order == ReadingOrder::Undecided) distance.order = ReadingOrder::Same;
    return distance;
  }
  const std::optional<int64_t> at = convert(first.clock, second.clock, first.ns);
  const std::optional<int64_t> gap = at ? difference(second.ns, *at) : std::nullopt;
  return gap ? distance_within(*gap, bound(first.clock, second.clock, first.ns))
             : ReadingDistance{};
}

ReadingDistance ClockRelations::distance_of_segments(const ReadingNs& first, int64_t second) {
  const ClockId clock = first.clock, trace_time = graph_.trace_time();
  const ClockId next = ways_to(trace_time).placement.node(clock).next;
  if (!next) return {};
  const std::optional<int64_t> a = convert(clock, next, first.ns), b = convert(clock, next, second);
  const std::optional<int64_t> gap = a && b ? difference(*b, *a) : std::nullopt;
  if (!gap) return {};
  return distance_within(*gap,
                         add_uncertainty(bound(clock, next, first.ns), bound(clock, next, second)));
}

}  // namespace tracebraid
