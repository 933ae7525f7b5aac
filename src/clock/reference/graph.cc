#include "clock/reference/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "clock/reference/wrap.h"

namespace tracebraid::reference {
namespace {

uint64_t mix(uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccd;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53;
  return h ^ h >> 33;
}

// Returns the number of the snapshots with these clocks in this order (spec clocks 3.1).
uint32_t hash_of(const std::vector<NodeReading>& readings) {
  uint64_t h = 0xe17a1465;
  for (const NodeReading& reading : readings)
    for (const uint32_t value :
         {reading.node.clock, reading.node.sequence, reading.node.file, reading.node.machine})
      h ^= mix(value) + 0x9e3779b9 + (h << 6) + (h >> 2);
  return static_cast<uint32_t>(h);
}

}  // namespace

// Gives lists of clocks with the same hash different numbers.
uint32_t Graph::class_of(const std::vector<NodeReading>& readings) {
  const auto is_same = [&](const Class& known) {
    return std::ranges::equal(known.nodes, readings, {}, {}, &NodeReading::node);
  };
  for (uint32_t kind = hash_of(readings);; ++kind) {
    const auto [at, is_new] = classes_.try_emplace(kind);
    if (is_new)
      for (const NodeReading& reading : readings) at->second.nodes.push_back(reading.node);
    else if (!is_same(at->second))
      continue;
    return kind;
  }
}

void Graph::refuse(Refusal refusal) {
  ++(refusal.is_void ? void_snapshots : clocks_that_go_back);
  if (refusals.size() < kMostRefusals) refusals.push_back(std::move(refusal));
}

bool Graph::add(const std::vector<NodeReading>& readings, Place place) {
  const uint32_t id = next_snapshot_++;
  const uint32_t kind = class_of(readings);
  if (std::optional<Refusal> refusal = store(readings, kind, id, place)) {
    refuse(*std::move(refusal));
    return false;
  }
  Class& known = classes_[kind];
  if (known.has_edges || readings.size() < 2) return true;
  known.has_edges = true;
  forget_paths(known);
  return true;
}

// Keeps paths of one hop between clocks that the new class does not both have: no path is better.
void Graph::forget_paths(const Class& changed) {
  steps_ += paths_.size();
  const absl::flat_hash_set<Node> nodes(changed.nodes.begin(), changed.nodes.end());
  absl::erase_if(paths_, [&](const auto& entry) {
    const auto& [ends, path] = entry;
    return !path || path->size() != 1 ||
           (nodes.contains(ends.first) && nodes.contains(ends.second));
  });
}

// Returns why readers ignore the snapshot; readings before the problem stay stored.
std::optional<Refusal> Graph::store(const std::vector<NodeReading>& readings, uint32_t kind,
                                    uint32_t id, Place place) {
  for (const auto& [node, ticks, unit, is_incremental] : readings) {
    const auto ignored = [&](std::string why) {
      return Refusal{.node = node, .place = place, .is_void = true, .why = std::move(why)};
    };
    Domain& domain = domains_[node];
    if (domain.classes.empty()) {
      if (is_incremental && node.sequence == 0)
        return ignored("is incremental, which only clocks of sequences may be");
      domain.unit = unit;
      domain.is_incremental = is_incremental;
    } else if (domain.unit != unit || domain.is_incremental != is_incremental) {
      return ignored("has another unit or encoding than before");
    }
    if (node == trace_time && unit != 1)
      return ignored("is the clock of trace time, but its unit is not ns");
    const int64_t ns = wrapped_product(ticks, unit);
    domain.last = ns;
    Series& series = domain.classes[kind];
    if (!series.snapshots.empty() && series.snapshots.back() == id)
      return ignored("is in the snapshot twice");
    if (!series.times.empty() && ns < series.times.back()) {
      std::string step = fmt::format("goes back from {} to {}", series.times.back(), ns);
      if (node == trace_time) return ignored(step + ", although it is the clock of trace time");
      if (refused_.insert(node).second) {
        refuse({.node = node, .place = place, .why = std::move(step)});
        paths_.clear();
      }
    }
    series.snapshots.push_back(id);
    series.times.push_back(ns);
  }
  return std::nullopt;
}

const std::optional<Graph::Path>& Graph::path(const Node& from, const Node& to) {
  const auto [at, is_new] = paths_.try_emplace({from, to});
  if (is_new && !is_too_complex()) at->second = search(from, to, Rules{});
  return at->second;
}

// Searches breadth-first; neighbours in the order of spec clocks 3.4. A class is followed once:
// the first visit of one of its clocks reaches all of them.
std::optional<Graph::Path> Graph::search(const Node& from, const Node& to, const Rules& rules) {
  struct Visit {
    Node node;
    size_t before = 0;  // index of the visit before
    uint32_t kind = 0;
  };
  std::vector<Visit> visits{{from}};
  absl::flat_hash_set<Node> seen{from};
  absl::flat_hash_set<uint32_t> followed;
  std::vector<std::pair<Node, uint32_t>> next;
  const auto path_to = [&](size_t at, const Node& last, uint32_t kind) {
    Path path{{visits[at].node, last, kind}};
    for (; at != 0; at = visits[at].before)
      path.push_back({visits[visits[at].before].node, visits[at].node, visits[at].kind});
    std::ranges::reverse(path);
    return path;
  };
  size_t begin = 0;
  for (size_t hops = 0; hops < rules.most_hops && begin < visits.size(); ++hops) {
    const size_t end = visits.size();
    for (; begin < end; ++begin) {
      const Node node = visits[begin].node;
      if (rules.heeds_refusals && refused_.contains(node)) continue;
      const auto domain = domains_.find(node);
      if (domain == domains_.end()) continue;
      next.clear();
      for (const auto& [kind, series] : domain->second.classes) {
        ++steps_;
        const Class& known = classes_.find(kind)->second;
        if (!known.has_edges || !followed.insert(kind).second) continue;
        for (const Node& other : known.nodes) next.emplace_back(other, kind);
      }
      steps_ += next.size();
      std::ranges::sort(next);
      for (const auto& [other, kind] : next) {
        if (other == node) continue;
        if (other == to) return path_to(begin, other, kind);
        if (seen.insert(other).second) visits.push_back({other, begin, kind});
      }
    }
  }
  return std::nullopt;
}

std::optional<int64_t> Graph::convert(const Node& from, int64_t ticks, const Node& to) {
  if (from == to) return ticks;
  const std::optional<Path>& found = path(from, to);
  if (!found) return std::nullopt;
  Domain& domain = domains_.find(from)->second;
  int64_t ns = wrapped_product(ticks, domain.unit);
  if (domain.is_incremental) ns = domain.last = wrapped_sum(domain.last, ns);
  for (const Hop& hop : *found) {
    const Series& here = domains_.find(hop.from)->second.classes.find(hop.kind)->second;
    const Series& there = domains_.find(hop.to)->second.classes.find(hop.kind)->second;
    const auto after = std::ranges::upper_bound(here.times, ns);
    const auto at = static_cast<size_t>(std::max<ptrdiff_t>(after - here.times.begin() - 1, 0));
    // A snapshot that was ignored may have stored the reading of one clock only.
    const auto other = std::ranges::lower_bound(there.snapshots, here.snapshots[at]);
    const auto k =
        std::min(static_cast<size_t>(other - there.snapshots.begin()), there.times.size() - 1);
    ns = wrapped_sum(ns, wrapped_difference(there.times[k], here.times[at]));
  }
  return ns;
}

Failure Graph::failure(const Node& from, const Node& to) const {
  if (!domains_.contains(from)) return Failure::UnknownSource;
  if (!domains_.contains(to)) return Failure::UnknownTarget;
  return Failure::NoPath;
}

Explanation Graph::explain(const Node& from, const Node& to) {
  if (is_too_complex()) return {Reason::TooComplex, {}};
  if (!domains_.contains(from)) return {Reason::NotInSnapshots, from};
  constexpr size_t kAny = std::numeric_limits<size_t>::max();
  if (search(from, to, {kAny, true})) return {Reason::TooFar, {}};
  const std::optional<Path> path = search(from, to, {kAny, false});
  if (!path) return {Reason::Unrelated, {}};
  const auto refused =
      std::ranges::find_if(*path, [&](const Hop& hop) { return refused_.contains(hop.from); });
  return {Reason::Refused, refused->from};
}

}  // namespace tracebraid::reference
