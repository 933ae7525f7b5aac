// Solver: finds the best path of each clock to trace time and composes its maps.
#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>

#include "clock/clock_graph.h"
#include "clock/error_bounds.h"
#include "clock/rounds.h"

namespace tracebraid {
namespace {

// The cost of a path, compared member by member: no measurement outweighs a guess.
struct Cost {
  uint32_t guesses = 0;
  uint32_t meetings = 0;
  uint32_t statements = 0;
  int64_t uncertainty_ns = 0;
  uint32_t hops = 0;
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

Cost further(Cost cost, EvidenceKind kind, int64_t uncertainty_ns) {
  if (kind == EvidenceKind::Guessed) {
    ++cost.guesses;  // its bound is infinite; the bounds of other hops still order paths
  } else {
    cost.uncertainty_ns = add_uncertainty(cost.uncertainty_ns, uncertainty_ns);
  }
  if (kind == EvidenceKind::Rendezvous) ++cost.meetings;
  if (kind == EvidenceKind::Manifest) ++cost.statements;
  ++cost.hops;
  return cost;
}

}  // namespace

class Solver {
 public:
  Solver(const ClockGraph& graph, ClockId target, ClockModel model)
      : graph_(graph),
        target_(target),
        model_(model),
        nodes_(graph.nodes_.size()),
        costs_(graph.nodes_.size()),
        spans_(graph.nodes_.size()),
        ranks_(graph.nodes_.size()) {
    // Equal paths are ordered by the keys of their clocks, so the order of discovery does not
    // matter.
    std::vector<uint32_t> order(nodes_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](uint32_t row) { return graph.nodes_[row].key; });
    for (uint32_t i = 0; i < order.size(); ++i) ranks_[order[i]] = i;
    for (uint32_t i = 0; i < nodes_.size(); ++i) nodes_[i].tick_ns = graph.nodes_[i].tick_ns;
    find_spans();
    // Limits composed maps to a multiple of the number of readings.
    max_pieces_ = 8 * (graph.readings_.size() + nodes_.size()) + 65536;
  }

  Placement run() && {
    find_paths();
    for (const uint32_t row : settled_) lay_map(row);
    return {target_, model_, std::move(nodes_), std::move(routes_)};
  }

 private:
  // Best-first search from trace time. A set relates all its clocks equally, so it is expanded
  // once: from the first reached clock that does not advance in steps.
  void find_paths() {
    using Entry = std::tuple<Cost, uint32_t, uint32_t>;  // cost, rank, row
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting;
    std::vector<bool> is_settled(nodes_.size()), is_found(nodes_.size());
    std::vector<bool> is_spent(graph_.sets_.size());
    const uint32_t start = target_.row;
    waiting.push({Cost{}, ranks_[start], start});
    is_found[start] = true;
    while (!waiting.empty()) {
      const auto [cost, rank, row] = waiting.top();
      waiting.pop();
      if (is_settled[row]) continue;
      is_settled[row] = true;
      settled_.push_back(row);
      for (const uint32_t set_row : graph_.nodes_[row].sets) {
        if (is_spent[set_row]) continue;
        const ClockGraph::Set& set = graph_.sets_[set_row];
        const int64_t grain_ns = graph_.grain_ns(ClockId{row}, set.kind);
        is_spent[set_row] = grain_ns == 0 && !set.has_excluded;
        const int64_t uncertainty_ns = add_uncertainty(set.uncertainty_ns, grain_ns);
        for (const ClockId other : set.clocks) {
          if (is_settled[other.row]) continue;
          if (graph_.is_excluded(ClockId{row}, other, set.kind)) continue;
          const int64_t off =
              add_uncertainty(graph_.grain_ns(other, set.kind), drift(set, other, ClockId{row}));
          const Cost beyond = further(cost, set.kind, add_uncertainty(uncertainty_ns, off));
          if (is_found[other.row] && !is_better(beyond, row, other.row)) continue;
          is_found[other.row] = true;
          costs_[other.row] = beyond;
          take_hop(other.row, row, set);
          waiting.push({beyond, ranks_[other.row], other.row});
        }
      }
    }
  }

  // Finds the first and the last reading of each clock over all snapshots.
  struct Span {
    int64_t first = std::numeric_limits<int64_t>::max();
    int64_t last = std::numeric_limits<int64_t>::min();

    void see(int64_t reading) {
      first = std::min(first, reading);
      last = std::max(last, reading);
    }
  };

  void find_spans() {
    for (const ClockGraph::Snapshot& snapshot : graph_.snapshots_) {
      const std::span<const ClockId> clocks = graph_.clocks_of(snapshot);
      const std::span<const int64_t> readings = graph_.readings_of(snapshot);
      for (size_t i = 0; i < clocks.size(); ++i) spans_[clocks[i].row].see(readings[i]);
    }
  }

  // Returns how far the clocks may have drifted apart at the reading of `other` that is farthest
  // from the snapshots of the set. Makes one very good snapshot at the beginning cost more than
  // good snapshots throughout. Snapshots with a jump between them do not bound the time between.
  int64_t drift(const ClockGraph::Set& set, ClockId other, ClockId towards) const {
    constexpr __int128 kBillion = 1'000'000'000;
    const int64_t ppb = unknown_drift_ppb(graph_, other, towards, set.kind);
    if (ppb == 0) return 0;
    const size_t at = set.position(other), at_towards = set.position(towards);
    std::vector<Observation> seen;
    for (const uint32_t row : set.snapshots) {
      const ClockGraph::Snapshot& snapshot = graph_.snapshots_[row];
      const int64_t* readings = graph_.readings_.data() + snapshot.first;
      seen.push_back({readings[at], readings[at_towards], snapshot.origin.uncertainty_ns});
    }
    std::ranges::sort(seen, {}, [](const Observation& o) { return std::tuple(o.from, o.to); });
    const Span& all = spans_[other.row];
    __int128 gap =
        std::max(__int128{seen.front().from} - all.first, __int128{all.last} - seen.back().from);
    for (size_t i = 1; i < seen.size(); ++i) {
      const bool jumps = change_between(seen[i - 1], seen[i]) == Change::Jump;
      gap = std::max(gap, jumps ? __int128{all.last} - all.first
                                : (__int128{seen[i].from} - seen[i - 1].from) / 2);
    }
    return static_cast<int64_t>(std::min<__int128>(gap * ppb / kBillion, kUnbounded));
  }

  bool is_better(const Cost& cost, uint32_t via, uint32_t row) const {
    if (cost != costs_[row]) return cost < costs_[row];
    return ranks_[via] < ranks_[nodes_[row].next.row];
  }

  void take_hop(uint32_t from, uint32_t to, const ClockGraph::Set& set) {
    Placement::Node& node = nodes_[from];
    node.next = ClockId{to};
    node.hop = set.kind;
    node.weakest = std::max(nodes_[to].weakest, set.kind);
    node.uncertainty_ns = add_uncertainty(nodes_[to].uncertainty_ns, set.uncertainty_ns);
    for (const uint32_t row : {from, to})
      node.uncertainty_ns =
          add_uncertainty(node.uncertainty_ns, graph_.grain_ns(ClockId{row}, set.kind));
  }

  // Sets the route of the clock. Requires: the route of the next clock is set.
  void lay_map(uint32_t row) {
    Placement::Node& node = nodes_[row];
    if (!node.next) {
      node.route = add_route({{{ClockMap::kFirst, 0, 0}}}, Placement::Node::kNoRoute);
      return;
    }
    const ClockGraph::Hop seen = graph_.hop(ClockId{row}, node.next, node.hop, model_);
    node.segments = static_cast<uint32_t>(count_segments(seen.observations));
    ClockMap hop = map_of(seen.observations, seen.model, seen.margin);
    const uint32_t beyond = nodes_[node.next.row].route;
    if (hop.is_identity()) {
      node.route = beyond;
      return;
    }
    const ClockMap& outer = routes_[beyond].map;
    const size_t allowed = std::min(4 * (hop.pieces.size() + outer.pieces.size()) + 1024,
                                    max_pieces_ - std::min(max_pieces_, pieces_));
    if (std::optional<ClockMap> whole = compose(hop, outer, allowed))
      node.route = add_route(std::move(*whole), routes_[beyond].next);
    else
      node.route = add_route(std::move(hop), beyond);
  }

  uint32_t add_route(ClockMap map, uint32_t next) {
    pieces_ += map.pieces.size();
    routes_.push_back({std::move(map), next});
    return static_cast<uint32_t>(routes_.size() - 1);
  }

  const ClockGraph& graph_;
  ClockId target_;
  ClockModel model_;
  std::vector<Placement::Node> nodes_;
  std::vector<Cost> costs_;
  std::vector<Span> spans_;
  std::vector<uint32_t> ranks_;
  std::vector<uint32_t> settled_;  // reachable clocks, nearest first
  std::vector<Placement::Route> routes_;
  size_t pieces_ = 0, max_pieces_ = 0;
};

Placement ClockGraph::solve(ClockModel model) const {
  return Solver(*this, trace_time_, model).run();
}

Placement ClockGraph::solve_for(ClockId target, ClockModel model) const {
  return Solver(*this, target, model).run();
}

ClockGraph::Hop ClockGraph::hop(ClockId from, ClockId to, EvidenceKind kind,
                                ClockModel model) const {
  std::vector<std::pair<uint32_t, Observation>> found;
  size_t sets = 0;
  bool is_on_line = true;
  const int64_t grains_ns = add_uncertainty(grain_ns(from, kind), grain_ns(to, kind));
  for (const uint32_t set_row : nodes_[from.row].sets) {
    const Set& set = sets_[set_row];
    if (set.kind != kind || !set.has(to)) continue;
    const size_t at_from = set.position(from), at_to = set.position(to);
    for (const uint32_t row : set.snapshots) {
      const Snapshot& snapshot = snapshots_[row];
      const int64_t* readings = readings_.data() + snapshot.first;
      found.push_back({row,
                       {readings[at_from], readings[at_to],
                        add_uncertainty(snapshot.origin.uncertainty_ns, grains_ns)}});
      is_on_line = is_on_line && snapshot.origin.is_on_line;
    }
    ++sets;
  }
  if (sets > 1) std::ranges::sort(found, {}, [](const auto& entry) { return entry.first; });
  Hop hop{{}, is_on_line ? ClockModel::Stated : model, nodes_[from.row].margin};
  hop.observations.reserve(found.size());
  for (const auto& [snapshot, observation] : found) hop.observations.push_back(observation);
  if (kind != EvidenceKind::Relayed || is_on_line) return hop;
  hop.observations = without_outliers(hop.observations);
  if (hop.model == ClockModel::Linear) hop.observations = fit_rounds(hop.observations);
  return hop;
}

}  // namespace tracebraid
