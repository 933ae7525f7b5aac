#include "clock/placement.h"

namespace tracebraid {

bool PlaceCursor::is_ambiguous(int64_t ticks) {
  int64_t reading = 0;
  if (__builtin_mul_overflow(ticks, tick_ns_, &reading)) return false;
  if (!first_.convert(reading, reading)) return first_.refused_last();
  for (MapCursor& hop : rest_)
    if (!hop.convert(reading, reading)) return hop.refused_last();
  return false;
}

std::optional<TraceTime> Placement::place(Reading reading) const {
  TraceTime at;
  PlaceCursor cursor = this->cursor(reading.clock);
  if (!cursor.place(reading.ticks, at.ns)) return std::nullopt;
  return at;
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
