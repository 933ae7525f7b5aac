// edge_readings(): the observations of an edge of the clock graph.
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/boundary.h"
#include "clock/error_bounds.h"
#include "engine/clocks.h"
#include "engine/trace.h"
#include "merge/merge.h"

namespace tracebraid {
namespace {

std::string_view name_of(ClockModel model) {
  switch (model) {
    case ClockModel::Step:
      return "step";
    case ClockModel::Linear:
      return "linear";
    case ClockModel::Stated:
      break;
  }
  return "stated";
}

// Returns at most about `most` observations: the first, the last, and of each range between them
// the two whose offsets are the furthest from the line through the first and the last.
std::vector<Observation> thinned(const std::vector<Observation>& all, size_t most) {
  if (all.size() <= most) return all;
  const Observation &first = all.front(), &last = all.back();
  const auto offset = [&](const Observation& o) {
    return (static_cast<double>(o.to) - static_cast<double>(first.to)) -
           (static_cast<double>(o.from) - static_cast<double>(first.from));
  };
  const double length = static_cast<double>(last.from) - static_cast<double>(first.from);
  const double drift = length == 0 ? 0 : offset(last) / length;
  const auto deviation = [&](const Observation& o) {
    return offset(o) - drift * (static_cast<double>(o.from) - static_cast<double>(first.from));
  };
  std::vector<Observation> kept{first};
  const size_t ranges = std::max<size_t>(1, most / 2), inner = all.size() - 2;
  for (size_t range = 0; range < ranges; ++range) {
    const auto begin = all.begin() + 1 + static_cast<std::ptrdiff_t>(inner * range / ranges);
    const auto end = all.begin() + 1 + static_cast<std::ptrdiff_t>(inner * (range + 1) / ranges);
    if (begin == end) continue;
    auto [low, high] = std::minmax_element(
        begin, end, [&](const auto& a, const auto& b) { return deviation(a) < deviation(b); });
    if (high < low) std::swap(low, high);
    kept.push_back(*low);
    if (high != low) kept.push_back(*high);
  }
  kept.push_back(last);
  return kept;
}

// Where files have the observations of an edge, by their readings.
using Places = absl::flat_hash_map<std::pair<int64_t, int64_t>, SnapshotOrigin>;

Places places_of(const ClockGraph& graph, const ClockGraph::Edge& edge) {
  Places places;
  for (const ClockGraph::Snapshot& snapshot : graph.snapshots()) {
    if (snapshot.origin.kind != edge.kind) continue;
    const std::span<const ClockId> clocks = graph.clocks_of(snapshot);
    const auto from = std::ranges::find(clocks, edge.from), to = std::ranges::find(clocks, edge.to);
    if (from == clocks.end() || to == clocks.end()) continue;
    const std::span<const int64_t> readings = graph.readings_of(snapshot);
    places.try_emplace({readings[static_cast<size_t>(from - clocks.begin())],
                        readings[static_cast<size_t>(to - clocks.begin())]},
                       snapshot.origin);
  }
  return places;
}

void set_place(const Places& places, EdgeReading& reading) {
  const auto found = places.find({reading.from, reading.to});
  if (found == places.end() || !found->second.file) return;
  reading.file = found->second.file.row;
  if (found->second.byte_offset != kNoOffset) reading.byte_offset = found->second.byte_offset;
}

// What `to` shows by the paths of both clocks to the timeline, none of which leads over the edge.
class ByPaths {
 public:
  ByPaths(const MergedClocks& clocks, ClockId from, ClockId to)
      : from_(from),
        to_(to),
        from_cursor_(clocks.placement.cursor(from)),
        to_cursor_(clocks.placement.cursor(to)),
        bounds_(clocks.graph, clocks.placement) {}

  // `near` is a reading of `to` at about this moment, because clocks are not converted back.
  std::optional<int64_t> convert(int64_t reading, int64_t near) {
    int64_t ts = 0, ts_near = 0, apart = 0, mapped = 0;
    if (!from_cursor_.place_ns(reading, ts) || !to_cursor_.place_ns(near, ts_near) ||
        __builtin_sub_overflow(ts, ts_near, &apart) || __builtin_add_overflow(near, apart, &mapped))
      return std::nullopt;
    return mapped;
  }
  int64_t bound(int64_t reading, int64_t near) {
    return add_uncertainty(bounds_.at(from_, reading), bounds_.at(to_, near));
  }

 private:
  const ClockId from_, to_;
  PlaceCursor from_cursor_, to_cursor_;
  ErrorBounds bounds_;
};

// Whether the best path of one of the two clocks leads over the edge.
bool is_on_path(const Placement& placement, const ClockGraph::Edge& edge) {
  const Placement::Node &from = placement.node(edge.from), &to = placement.node(edge.to);
  return (from.next == edge.to && from.hop == edge.kind) ||
         (to.next == edge.from && to.hop == edge.kind);
}

}  // namespace

Result<EdgeReadings> edge_readings(const Trace& trace, uint32_t edge, size_t most,
                                   ReadingSpan span) {
  return at_boundary(trace.broken(), [&]() -> Result<EdgeReadings> {
    const MergedClocks* const clocks = trace.merged().clocks.get();
    const std::vector<ClockGraph::Edge> edges =
        clocks == nullptr ? std::vector<ClockGraph::Edge>() : clocks->graph.edges();
    if (edge >= edges.size()) return fail(ErrorCode::NotFound, "the trace has no such edge");
    const ClockGraph& graph = clocks->graph;
    const Placement& placement = clocks->placement;
    const ClockId from = edges[edge].from, to = edges[edge].to;
    const EvidenceKind kind = edges[edge].kind;
    const auto [all, model, margin] = graph.hop(from, to, kind, placement.model());
    EdgeReadings readings{.model = name_of(model)};
    if (all.empty()) return readings;
    const auto bound_of = [&](int64_t bound_ns) {
      const bool has_bound = kind != EvidenceKind::Guessed && bound_ns != kUnbounded;
      return has_bound ? std::optional(bound_ns) : std::nullopt;
    };
    const ClockMap map = map_of(all, model, margin);
    const ErrorMap error = error_map_of(all, model, pair_nature(graph, from, to, kind), margin);
    PlaceCursor cursor = placement.cursor(from);
    const auto ts_of = [&](int64_t reading) -> std::optional<int64_t> {
      int64_t ns = 0;
      return cursor.place_ns(reading, ns) ? std::optional(ns) : std::nullopt;
    };
    // Evidence beside the paths is compared with them.
    std::optional<ByPaths> paths;
    if (!is_on_path(placement, edges[edge]) && placement.node(from).placed() &&
        placement.node(to).placed()) {
      paths.emplace(*clocks, from, to);
      readings.model = "paths";
    }
    const auto mapped_of = [&](int64_t reading, int64_t near) {
      return paths ? paths->convert(reading, near) : map.convert(reading);
    };
    const auto add_to_curve = [&](int64_t reading, int64_t near) {
      const std::optional<int64_t> mapped = mapped_of(reading, near);
      const int64_t bound = paths ? paths->bound(reading, near) : error.at(reading);
      readings.curve.push_back({reading, mapped.value_or(0), bound_of(bound), mapped,
                                ts_of(reading), std::nullopt, std::nullopt});
    };
    // The map is that of all observations.
    const auto is_in_span = [&](const Observation& seen) {
      if (!span.from_ts && !span.to_ts) return true;
      const std::optional<int64_t> ts = ts_of(seen.from);
      return ts && (!span.from_ts || *ts >= *span.from_ts) && (!span.to_ts || *ts <= *span.to_ts);
    };
    std::vector<Observation> shown;
    std::ranges::copy_if(all, std::back_inserter(shown), is_in_span);
    readings.total = shown.size();
    const Places places = places_of(graph, edges[edge]);
    for (const Observation& seen : thinned(shown, most)) {
      if (!readings.observations.empty() && readings.observations.back().from < seen.from)
        add_to_curve(std::midpoint(readings.observations.back().from, seen.from),
                     std::midpoint(readings.observations.back().to, seen.to));
      readings.observations.push_back({seen.from, seen.to, bound_of(seen.uncertainty_ns),
                                       mapped_of(seen.from, seen.to), ts_of(seen.from),
                                       std::nullopt, std::nullopt});
      set_place(places, readings.observations.back());
      add_to_curve(seen.from, seen.to);
    }
    return readings;
  });
}

}  // namespace tracebraid
