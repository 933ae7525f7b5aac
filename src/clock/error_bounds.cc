#include "clock/error_bounds.h"

#include <algorithm>

namespace tracebraid {
namespace {

// Returns whether the kernel derives the clock from one counter at one rate.
bool is_of_one_rate(uint32_t domain) {
  return domain == domain::kMonotonic || domain == domain::kMonotonicCoarse ||
         domain == domain::kBoottime;
}

bool can_be_set(uint32_t domain) {
  return domain == domain::kRealtime || domain == domain::kRealtimeCoarse;
}

}  // namespace

int64_t unknown_drift_ppb(const ClockGraph& graph, ClockId clock_a, ClockId clock_b,
                          EvidenceKind kind) {
  const ClockKey &a = graph.key(clock_a), &b = graph.key(clock_b);
  if (graph.is_incremental(clock_a) || graph.is_incremental(clock_b)) return 0;  // one clock
  switch (kind) {
    case EvidenceKind::SameClock:
    case EvidenceKind::Manifest:  // taken as exact
    case EvidenceKind::Guessed:   // there is no bound
      return 0;
    case EvidenceKind::Rendezvous:
      // NTP keeps wall clocks together; a clock started at a known wall-clock time drifts.
      return a.domain == b.domain ? 0 : kUsualDriftPpb;
    case EvidenceKind::Measured:
    case EvidenceKind::Relayed:
      break;
  }
  if (a.machine != b.machine) return 2 * kUsualDriftPpb;
  return is_of_one_rate(a.domain) && is_of_one_rate(b.domain) ? 0 : kUsualDriftPpb;
}

PairNature pair_nature(const ClockGraph& graph, ClockId a, ClockId b, EvidenceKind kind) {
  return {unknown_drift_ppb(graph, a, b, kind), can_be_set(graph.key(a).domain)};
}

const ErrorBounds::Hop& ErrorBounds::hop(ClockId clock) {
  std::unique_ptr<const Hop>& known = hops_[clock];
  if (known == nullptr) {
    const Placement::Node& node = placement_.node(clock);
    const auto [seen, model, margin] = graph_.hop(clock, node.next, node.hop, placement_.model());
    const PairNature nature = pair_nature(graph_, clock, node.next, node.hop);
    known = std::make_unique<const Hop>(
        Hop{map_of(seen, model, margin), error_map_of(seen, model, nature, margin)});
  }
  return *known;
}

int64_t ErrorBounds::worst(ClockId clock, int64_t first, int64_t last) {
  if (!clock || !placement_.node(clock).placed()) return kUnbounded;
  if (placement_.node(clock).weakest == EvidenceKind::Guessed) return kUnbounded;
  int64_t sum = 0;
  for (; placement_.node(clock).next; clock = placement_.node(clock).next) {
    const Hop& at = hop(clock);
    if (__builtin_add_overflow(sum, at.error.worst(first, last), &sum)) return kUnbounded;
    const std::optional<int64_t> a = at.map.convert(first), b = at.map.convert(last);
    if (!a && !b) return kUnbounded;
    first = std::min(a.value_or(*b), b.value_or(*a));
    last = std::max(a.value_or(*b), b.value_or(*a));
  }
  return sum;
}

}  // namespace tracebraid
