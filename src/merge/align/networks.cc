#include "merge/align/networks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/disjoint_sets.h"
#include "clock/relate.h"
#include "merge/align/constraint.h"
#include "merge/align/network.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostSolved = 65, kFewestSolved = 9;  // at which a network is solved
constexpr size_t kMostValues = 1 << 18;                // edges times moments
constexpr size_t kMostKnots = 256;                     // of a relation
constexpr int kInversions = 6;  // Newton's method; each step gains 4 digits or more
constexpr int64_t kFarNs = int64_t{1} << 61;

// A set between two clusters.
struct SetEdge {
  size_t set = 0;
  uint32_t a = 0, b = 0;  // clusters
  ClockId clock_a, clock_b;
};

// A knot of a set, in base times.
struct EdgeKnot {
  int64_t at = 0;  // ns
  double apart = 0, bound = 0;
};

// Clusters that sets connect, with loops.
struct Group {
  std::vector<SetEdge> edges;
  std::vector<uint32_t> clusters;  // sorted
};

// Returns the groups with loops of three clusters or more.
std::vector<Group> find_groups(std::span<const std::vector<ClockId>> nodes, const ClockGraph& graph,
                               std::span<const MatchSet> sets) {
  std::map<uint32_t, uint32_t> clusters;  // number by component
  std::vector<SetEdge> edges;
  for (size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].verdict != Verdict::Used || sets[i].knots.size() < 2 ||
        sets[i].evidence == EvidenceKind::Rendezvous)
      continue;
    const auto clock_of = [&](const Side& side) { return nodes[side.batch][side.clock]; };
    SetEdge edge{i, 0, 0, clock_of(sets[i].a), clock_of(sets[i].b)};
    if (graph.are_connected(edge.clock_a, edge.clock_b)) continue;
    const auto number = [&](ClockId clock) {
      return clusters.try_emplace(graph.component(clock), static_cast<uint32_t>(clusters.size()))
          .first->second;
    };
    edge.a = number(edge.clock_a);
    edge.b = number(edge.clock_b);
    edges.push_back(edge);
  }
  DisjointSets connected(clusters.size());
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  for (const SetEdge& edge : edges) {
    connected.join(edge.a, edge.b);
    pairs.insert(std::minmax(edge.a, edge.b));
  }
  std::map<uint32_t, size_t> pairs_of, clusters_of;  // by root
  for (const auto& pair : pairs) ++pairs_of[connected.root(pair.first)];
  for (uint32_t i = 0; i < clusters.size(); ++i) ++clusters_of[connected.root(i)];
  std::map<uint32_t, Group> found;
  for (const SetEdge& edge : edges) {
    const uint32_t root = connected.root(edge.a);
    if (pairs_of[root] >= clusters_of[root]) found[root].edges.push_back(edge);
  }
  std::vector<Group> groups;
  for (auto& [root, group] : found) {
    for (uint32_t i = 0; i < clusters.size(); ++i)
      if (connected.root(i) == root) group.clusters.push_back(i);
    groups.push_back(std::move(group));
  }
  return groups;
}

// Solves one group. Times are those of `base`, which places all clusters along single paths.
class GroupSolver {
 public:
  GroupSolver(Group group, const ClockGraph& graph, std::span<MatchSet> sets)
      : group_(std::move(group)), graph_(graph), sets_(sets) {
    choose_clocks();
  }

  // The clock that all others of the group are related to.
  ClockId root() const { return clock_of_node(0); }

  // Requires: `base` places root() at its own readings. `within`: relations without content.
  void solve(const Placement& base, ClockRelations& within, Networks& all) {
    base_ = &base;
    within_ = &within;
    if (!read_edges() || !choose_moments()) return;
    std::vector<NetworkEdge> edges;
    for (size_t i = 0; i < group_.edges.size(); ++i) {
      NetworkEdge& edge = edges.emplace_back(
          NetworkEdge{node_of(group_.edges[i].a), node_of(group_.edges[i].b), {}, {}});
      for (const int64_t moment : moments_) {
        const EdgeKnot at = knot_at_moment(knots_[i], moment);
        edge.apart.push_back(at.apart);
        edge.bound.push_back(std::max(1.0, at.bound));
      }
    }
    const NetworkSolution solution = solve_network(group_.clusters.size(), edges);
    if (solution.has_too_many) {
      all.unsolved.push_back(group_.edges.size());
      return;
    }
    for (size_t i = 0; i < edges.size(); ++i) note_loop(i, solution, all);
    for (uint32_t i = 1; i < group_.clusters.size(); ++i) add_relation(i, solution, all);
  }

 private:
  // Chooses the clock of each cluster: the timeline, else the one with most sets. The first node is
  // the cluster of the timeline, else the first cluster.
  void choose_clocks() {
    std::map<uint32_t, std::map<ClockId, size_t>> uses;
    const ClockId timeline = graph_.trace_time();
    for (const SetEdge& edge : group_.edges) {
      ++uses[edge.a][edge.clock_a];
      ++uses[edge.b][edge.clock_b];
    }
    for (const auto& [cluster, of_clock] : uses) {
      ClockId best;
      size_t most = 0;
      for (const auto& [clock, count] : of_clock)
        if (count > most) std::tie(best, most) = std::pair(clock, count);
      const bool has_timeline = graph_.are_connected(best, timeline);
      if (has_timeline) best = timeline;
      clocks_[cluster] = best;
      const auto at = std::ranges::find(group_.clusters, cluster);
      if (has_timeline) std::rotate(group_.clusters.begin(), at, at + 1);
    }
    for (uint32_t i = 0; i < group_.clusters.size(); ++i) node_of_cluster_[group_.clusters[i]] = i;
  }

  uint32_t node_of(uint32_t cluster) const { return node_of_cluster_.at(cluster); }
  ClockId clock_of_node(uint32_t node) const { return clocks_.at(group_.clusters[node]); }

  // Returns the base time of a reading of a clock of a cluster, and adds the bound of its distance
  // to the clock of the cluster.
  std::optional<int64_t> base_time(uint32_t cluster, ClockId clock, int64_t reading,
                                   double& bound) {
    const ClockId chosen = clocks_.at(cluster);
    if (clock != chosen) {
      const std::optional<int64_t> converted = within_->convert(clock, chosen, reading);
      const int64_t off = converted ? within_->bound(clock, chosen, reading) : kUnbounded;
      if (off == kUnbounded) return std::nullopt;
      bound += static_cast<double>(off);
      reading = *converted;
    }
    const std::optional<TraceTime> at = base_->place({chosen, reading});
    return at && at->ns < kFarNs && at->ns > -kFarNs ? std::optional(at->ns) : std::nullopt;
  }

  // Returns false if a set cannot be expressed in base times.
  bool read_edges() {
    for (const SetEdge& edge : group_.edges) {
      const MatchSet& set = sets_[edge.set];
      const int64_t grain = add_uncertainty(graph_.grain_ns(edge.clock_a, set.evidence),
                                            graph_.grain_ns(edge.clock_b, set.evidence));
      std::vector<EdgeKnot>& knots = knots_.emplace_back();
      for (const Observation& knot : set.knots) {
        double bound = static_cast<double>(add_uncertainty(knot.uncertainty_ns, grain));
        const auto a = base_time(edge.a, edge.clock_a, knot.from, bound);
        const auto b = base_time(edge.b, edge.clock_b, knot.to, bound);
        if (!a || !b) return false;
        // Where b is placed, less a: what the offset of b is too large by.
        knots.push_back({*a, static_cast<double>(*a - *b), bound});
      }
      std::ranges::stable_sort(knots, {}, &EdgeKnot::at);
    }
    return true;
  }

  // Chooses moments where the knots are. Returns false if few of them lie between the knots of
  // some set.
  bool choose_moments() {
    std::vector<int64_t> all;
    for (const std::vector<EdgeKnot>& knots : knots_)
      for (const EdgeKnot& knot : knots) all.push_back(knot.at);
    std::ranges::sort(all);
    const size_t count = std::clamp(kMostValues / group_.edges.size(), kFewestSolved, kMostSolved);
    for (size_t i = 0; i < count; ++i) {
      const int64_t moment = all[(all.size() - 1) * i / (count - 1)];
      if (moments_.empty() || moments_.back() < moment) moments_.push_back(moment);
    }
    return std::ranges::all_of(knots_, [&](const std::vector<EdgeKnot>& knots) {
      const auto first = std::ranges::lower_bound(moments_, knots.front().at);
      const auto last = std::ranges::upper_bound(moments_, knots.back().at);
      return last - first >= 2;
    });
  }

  // Between two knots the larger bound holds. Beyond the ends it grows.
  static EdgeKnot knot_at_moment(std::span<const EdgeKnot> knots, int64_t moment) {
    const auto after = std::ranges::lower_bound(knots, moment, {}, &EdgeKnot::at);
    if (after == knots.begin() || after == knots.end()) {
      const EdgeKnot& end = after == knots.begin() ? knots.front() : knots.back();
      const double beyond = std::abs(static_cast<double>(moment - end.at));
      return {moment, end.apart, end.bound + kSteepest * beyond};
    }
    const EdgeKnot &left = *(after - 1), &right = *after;
    const double part = right.at == left.at ? 0
                                            : static_cast<double>(moment - left.at) /
                                                  static_cast<double>(right.at - left.at);
    return {moment, left.apart + part * (right.apart - left.apart),
            std::max(left.bound, right.bound)};
  }

  void note_loop(size_t i, const NetworkSolution& solution, Networks& all) {
    const SetEdge& edge = group_.edges[i];
    MatchSet& set = sets_[edge.set];
    if (std::isnan(solution.loop_residuals[i])) return;
    set.loop_residual_ns = std::llround(solution.loop_residuals[i]);
    if (!solution.is_contradicted[i]) return;
    set.verdict = Verdict::Refused;
    set.reason = Reason::Contradicted;
    const int64_t bound = std::llround(solution.loop_bounds[i]);
    set.detail = fmt::format(
        "the other files around its best loop say {} ns else, and at most {} ns are possible",
        std::abs(*set.loop_residual_ns), bound);
    const Observation& middle = set.knots[set.knots.size() / 2];
    all.contradicted.push_back(edge.set);
    all.contradictions.push_back({.a = edge.clock_a,
                                  .b = edge.clock_b,
                                  .kind = set.evidence,
                                  .count = 1,
                                  .apart_ns = std::abs(*set.loop_residual_ns),
                                  .bound_ns = bound,
                                  .reading_a = middle.from,
                                  .reading_b = middle.to,
                                  .file = set.file_a,
                                  .byte_offset = kNoOffset});
  }

  // Returns the reading of a clock at a base time.
  std::optional<int64_t> reading_at(PlaceCursor& cursor, int64_t guess, int64_t time) const {
    int64_t reading = guess;
    for (int i = 0; i < kInversions; ++i) {
      int64_t at = 0, off = 0;
      if (!cursor.place_ns(reading, at) || __builtin_sub_overflow(time, at, &off) ||
          __builtin_add_overflow(reading, off, &reading))
        return std::nullopt;
      if (off == 0) break;
    }
    return reading;
  }

  struct Offset {
    double offset = 0, bound = 0;
  };
  // Returns the solution of a node at a base time between the first and the last moment.
  Offset offset_at(uint32_t node, int64_t time, const NetworkSolution& solution) const {
    const auto after = std::ranges::upper_bound(moments_, time);
    const auto right = static_cast<size_t>(
        std::clamp<ptrdiff_t>(after - moments_.begin(), 1, std::ssize(moments_) - 1));
    const size_t left = right - 1;
    const double part = static_cast<double>(time - moments_[left]) /
                        static_cast<double>(moments_[right] - moments_[left]);
    const double from = solution.offsets[left][node], to = solution.offsets[right][node];
    return {from + part * (to - from),
            std::max(solution.bounds[left][node], solution.bounds[right][node])};
  }

  // Returns the base times between which the sets of a node are known.
  std::pair<int64_t, int64_t> known_of(uint32_t node, const NetworkSolution& solution) const {
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t i = 0; i < group_.edges.size(); ++i) {
      const SetEdge& edge = group_.edges[i];
      if (solution.is_contradicted[i] || (node_of(edge.a) != node && node_of(edge.b) != node))
        continue;
      first = std::min(first, knots_[i].front().at);
      last = std::max(last, knots_[i].back().at);
    }
    return {first, last};
  }

  // The relation of a cluster to the first one.
  void add_relation(uint32_t node, const NetworkSolution& solution, Networks& all) {
    const ClockId clock = clock_of_node(node);
    NetworkRelation relation{
        .hop = {clock, root(), EvidenceKind::SameClock, 0, {}}, .file = {}, .knots = {}};
    describe(node, solution, relation);
    const int64_t grain = add_uncertainty(graph_.grain_ns(clock, relation.hop.kind),
                                          graph_.grain_ns(root(), relation.hop.kind));
    PlaceCursor cursor = base_->cursor(clock);
    const auto [first, last] = known_of(node, solution);
    if (first >= last) return;
    // A reading near the first knot: an inversion starts there.
    int64_t guess = first;
    double bend = 0;
    for (size_t i = 0; i < kMostKnots; ++i) {
      const int64_t time = first + static_cast<int64_t>(static_cast<__int128>(last - first) *
                                                        static_cast<int64_t>(i) /
                                                        static_cast<int64_t>(kMostKnots - 1));
      const std::optional<int64_t> reading = reading_at(cursor, guess, time);
      if (!reading) continue;
      guess = *reading;
      const Offset at = offset_at(node, time, solution);
      const Observation knot{*reading, time + std::llround(at.offset),
                             std::max<int64_t>(0, std::llround(std::ceil(at.bound)) - grain)};
      if (!relation.knots.empty() && relation.knots.back().from >= knot.from) continue;
      if (!relation.knots.empty())
        bend = std::max(bend, bend_between(cursor, relation.knots.back(), knot, solution, node));
      relation.knots.push_back(knot);
    }
    if (relation.knots.size() < 2) return;
    for (Observation& knot : relation.knots)
      knot.uncertainty_ns = add_uncertainty(knot.uncertainty_ns, std::llround(std::ceil(bend)));
    all.relations.push_back(std::move(relation));
  }

  // How far the solution leaves the line between two knots, half-way.
  double bend_between(PlaceCursor& cursor, const Observation& left, const Observation& right,
                      const NetworkSolution& solution, uint32_t node) const {
    const int64_t middle = std::midpoint(left.from, right.from);
    int64_t time = 0;
    if (!cursor.place_ns(middle, time)) return 0;
    const double straight = static_cast<double>(std::midpoint(left.to, right.to) - time);
    return std::abs(straight - offset_at(node, time, solution).offset);
  }

  // Sets kind, source, matches and assumptions by the sets of the cluster; of several, the one with
  // most matches gives the source.
  void describe(uint32_t node, const NetworkSolution& solution, NetworkRelation& relation) const {
    int64_t most = -1;
    for (size_t i = 0; i < group_.edges.size(); ++i) {
      const SetEdge& edge = group_.edges[i];
      if (solution.is_contradicted[i]) continue;
      const MatchSet& set = sets_[edge.set];
      // A relation is no better evidence than the sets that it may come from.
      relation.hop.kind = std::max(relation.hop.kind, set.evidence);
      if (node_of(edge.a) != node && node_of(edge.b) != node) continue;
      relation.hop.matched += set.used;
      if (set.used <= most) continue;
      most = set.used;
      relation.source = set.source;
      relation.file = set.file_a;
      relation.hop.assumes = set.assumes;
    }
  }

  Group group_;
  const ClockGraph& graph_;
  std::span<MatchSet> sets_;
  const Placement* base_ = nullptr;
  ClockRelations* within_ = nullptr;
  std::map<uint32_t, ClockId> clocks_;  // by cluster
  std::map<uint32_t, uint32_t> node_of_cluster_;
  std::vector<std::vector<EdgeKnot>> knots_;  // by edge
  std::vector<int64_t> moments_;
};

}  // namespace

void add_knots(ClockId a, ClockId b, std::span<const Observation> knots, SnapshotOrigin origin,
               ClockGraph& graph) {
  origin.is_on_line = true;
  for (const Observation& knot : knots) {
    origin.uncertainty_ns = knot.uncertainty_ns;
    const ClockReading both[] = {{.clock = a, .ticks = knot.from, .tick_ns = kAlreadyNs},
                                 {.clock = b, .ticks = knot.to, .tick_ns = kAlreadyNs}};
    // Fails only if the readings are too far apart for any offset.
    std::ignore = graph.add_snapshot(both, origin);
  }
}

Networks solve_networks(std::span<const std::vector<ClockId>> nodes, const ClockGraph& graph,
                        ClockModel model, std::span<MatchSet> sets) {
  Networks all;
  std::vector<Group> groups = find_groups(nodes, graph, sets);
  if (groups.empty()) return all;
  // Places all clusters along single paths, and those without a path to the timeline as if their
  // root were the timeline: only distances within a group matter.
  ClockGraph whole = graph;
  std::vector<GroupSolver> solvers;
  for (Group& group : groups) {
    for (const SetEdge& edge : group.edges) {
      const MatchSet& set = sets[edge.set];
      add_knots(edge.clock_a, edge.clock_b, set.knots, {.kind = set.evidence}, whole);
    }
    solvers.emplace_back(std::move(group), graph, sets);
  }
  for (const GroupSolver& solver : solvers)
    if (!whole.are_connected(solver.root(), whole.trace_time()))
      std::ignore = whole.tie(solver.root(), whole.trace_time(), EvidenceKind::Guessed);
  const Placement base = whole.solve(model);
  ClockRelations within(graph, model);
  for (GroupSolver& solver : solvers) solver.solve(base, within, all);
  std::ranges::sort(all.contradicted);
  return all;
}

}  // namespace tracebraid::align
