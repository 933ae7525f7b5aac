#include "clock/placement.h"

namespace tracebraid {

std::optional<TraceTime> Placement::place(Reading reading) const {
  TraceTime at;
  PlaceCursor cursor = this->cursor(reading.clock);
  if (!cursor.place(reading.ticks, at.ns)) return std::nullopt;
  return at;
}

bool Placement::is_ambiguous(Reading reading) const {
  if (!reading.clock || !node(reading.clock).placed()) return false;
  int64_t at = 0;
  if (__builtin_mul_overflow(reading.ticks, node(reading.clock).tick_ns, &at)) return false;
  for (uint32_t r = node(reading.clock).route; r != Node::kNoRoute; r = routes_[r].next) {
    if (routes_[r].map.is_refused(at)) return true;
    const std::optional<int64_t> next = routes_[r].map.convert(at);
    if (!next) return false;
    at = *next;
  }
  return false;
}

PlaceCursor Placement::cursor(ClockId clock) const {
  if (!clock || !node(clock).placed()) return {};
  std::vector<MapCursor> hops;
  for (uint32_t r = node(clock).route; r != Node::kNoRoute; r = routes_[r].next)
    hops.emplace_back(routes_[r].map);
  return {node(clock).tick_ns, std::move(hops)};
}

std::vector<ClockId> Placement::path(ClockId clock) const {
  std::vector<ClockId> path;
  if (!clock || !node(clock).placed()) return path;
  for (; clock; clock = node(clock).next) path.push_back(clock);
  return path;
}

size_t Placement::pieces() const {
  size_t count = 0;
  for (const Route& route : routes_) count += route.map.pieces.size();
  return count;
}

}  // namespace tracebraid
