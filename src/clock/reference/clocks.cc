#include "reference/clocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock_domain.h"

namespace tracebraid::reference {
namespace {

constexpr size_t kMostHops = 4;

// Arithmetic that wraps, as in the reference.
int64_t add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t subtract(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
int64_t multiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

uint64_t mix(uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccd;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53;
  return h ^ h >> 33;
}

// Returns the number of the snapshots with these clocks in this order (spec clocks 3.1).
uint32_t class_of(const std::vector<NodeReading>& readings) {
  uint64_t h = 0xe17a1465;
  for (const NodeReading& reading : readings)
    for (const uint32_t value : {reading.node.clock, reading.node.sequence, reading.node.file,
                                 reading.node.machine})
      h ^= mix(value) + 0x9e3779b9 + (h << 6) + (h >> 2);
  return static_cast<uint32_t>(h);
}

}  // namespace

bool Graph::add(const std::vector<NodeReading>& readings) {
  const uint32_t id = next_snapshot_++, kind = class_of(readings);
  paths_.clear();
  if (std::optional<std::string> why = store(readings, kind, id)) {
    ++stats["invalid_clock_snapshots"];
    refusals.push_back({readings.front().node, "the snapshot is void: " + *std::move(why)});
    return false;
  }
  for (size_t i = 0; i < readings.size(); ++i)
    for (size_t k = i + 1; k < readings.size(); ++k) {
      const Node &a = readings[i].node, &b = readings[k].node;
      if (!refused_.contains(a)) edges_[a].emplace(b, kind);
      if (!refused_.contains(b)) edges_[b].emplace(a, kind);
    }
  return true;
}

// Returns why readers refuse the snapshot; readings before the problem stay stored.
std::optional<std::string> Graph::store(const std::vector<NodeReading>& readings, uint32_t kind,
                                        uint32_t id) {
  for (const auto& [node, ticks, unit, is_incremental] : readings) {
    Domain& domain = domains_[node];
    if (domain.classes.empty()) {
      if (is_incremental && node.sequence == 0) return "a global clock is incremental";
      domain.unit = unit;
      domain.is_incremental = is_incremental;
    } else if (domain.unit != unit || domain.is_incremental != is_incremental) {
      return "a clock has another unit or encoding than before";
    }
    if (node == trace_time && unit != 1) return "the clock of trace time is not in ns";
    const int64_t ns = multiply(ticks, unit);
    domain.last = ns;
    Series& series = domain.classes[kind];
    if (!series.snapshots.empty() && series.snapshots.back() == id)
      return "it has a clock twice";
    if (!series.times.empty() && ns < series.times.back()) {
      const std::string step = fmt::format("goes back from {} to {}", series.times.back(), ns);
      if (node == trace_time) return "the clock of trace time " + step;
      if (refused_.insert(node).second) refusals.push_back({node, "the clock " + step});
      edges_.erase(node);
    }
    series.snapshots.push_back(id);
    series.times.push_back(ns);
  }
  return std::nullopt;
}

const std::optional<Graph::Path>& Graph::path(const Node& from, const Node& to) {
  const auto [at, is_new] = paths_.try_emplace({from, to});
  if (is_new) at->second = search(from, to);
  return at->second;
}

std::optional<Graph::Path> Graph::search(const Node& from, const Node& to) const {
  std::set<Node> seen{from};
  std::vector<std::pair<Node, Path>> level{{from, {}}};
  for (size_t hops = 0; hops < kMostHops; ++hops) {
    std::vector<std::pair<Node, Path>> following;
    for (const auto& [node, path] : level) {
      const auto edges = edges_.find(node);
      if (edges == edges_.end()) continue;
      for (const auto& [next, kind] : edges->second) {
        if (next != to && !seen.insert(next).second) continue;
        Path longer = path;
        longer.push_back({node, next, kind});
        if (next == to) return longer;
        following.emplace_back(next, std::move(longer));
      }
    }
    level = std::move(following);
  }
  return std::nullopt;
}

std::optional<int64_t> Graph::convert(const Node& from, int64_t ticks, const Node& to) {
  if (from == to) return ticks;
  const std::optional<Path>& found = path(from, to);
  if (!found) return std::nullopt;
  Domain& domain = domains_[from];
  int64_t ns = multiply(ticks, domain.unit);
  if (domain.is_incremental) ns = domain.last = reference::add(domain.last, ns);
  for (const Hop& hop : *found) {
    const Series& here = domains_[hop.from].classes[hop.kind];
    const Series& there = domains_[hop.to].classes[hop.kind];
    const auto after = std::ranges::upper_bound(here.times, ns);
    const auto at = static_cast<size_t>(std::max<ptrdiff_t>(after - here.times.begin() - 1, 0));
    const auto other = std::ranges::lower_bound(there.snapshots, here.snapshots[at]);
    const auto k = static_cast<size_t>(other - there.snapshots.begin());
    if (k >= there.times.size()) return std::nullopt;
    ns = reference::add(ns, subtract(there.times[k], here.times[at]));
  }
  return ns;
}

std::string_view Graph::failure(const Node& from, const Node& to) const {
  if (!domains_.contains(from)) return "clock_sync_failure_unknown_source_clock";
  if (!domains_.contains(to)) return "clock_sync_failure_unknown_target_clock";
  return "clock_sync_failure_no_path";
}

Tracker::Tracker(Shared& shared, uint32_t file, uint32_t machine, uint32_t format_clock)
    : shared_(shared),
      file_(file),
      machine_(machine),
      format_clock_(format_clock),
      is_primary_(shared.primaries.try_emplace(machine, file).first->second == file),
      is_placed_(format_clock == 0) {}

Node Tracker::qualify(const FileClock& clock) const {
  const bool is_of_file = clock.sequence != 0 || clock.clock == domain::kPrivate;
  return {clock.clock, clock.sequence, is_of_file ? file_ : tag_, machine_};
}

// Applies spec clocks 5.
void Tracker::claim(const FileClock& clock) {
  if (conversions_ != 0 || (shared_.owner && *shared_.owner != file_)) return;
  shared_.owner = file_;
  const bool is_of_file = clock.sequence != 0 || clock.clock == domain::kPrivate;
  shared_.graph.trace_time = {clock.clock, clock.sequence, is_of_file ? file_ : 0, machine_};
}

// Applies spec clocks 6.2.
void Tracker::snapshot(const std::vector<FileReading>& readings) {
  if (!has_snapshot_ && !is_primary_) {
    tag_ = file_;
    if (conversions_ != 0) ++shared_.graph.stats["clock_sync_mixed_clock_sources"];
  }
  has_snapshot_ = true;
  std::vector<NodeReading> known;
  for (const FileReading& reading : readings)
    known.push_back({qualify(reading.clock), reading.ticks, reading.unit, reading.is_incremental});
  if (!is_primary_ && machine_ != shared_.graph.trace_time.machine)
    for (const FileReading& reading : readings)
      if (reading.clock.clock == domain::kRealtime ||
          reading.clock.clock == domain::kRealtimeCoarse)
        known.push_back({{reading.clock.clock, 0, 0, machine_},
                         reading.ticks,
                         reading.unit,
                         reading.is_incremental});
  if (!known.empty()) shared_.graph.add(known);
}

void Tracker::tie(const Node& a, const Node& b) {
  shared_.graph.add({{a, 0, 1, false}, {b, 0, 1, false}});
}

// Applies spec clocks 6.3 and 6.4.
void Tracker::place() {
  is_placed_ = true;
  Graph& graph = shared_.graph;
  const Node trace_time = graph.trace_time, own = qualify({format_clock_, 0});
  const bool is_private = format_clock_ == domain::kPrivate;
  const Node clock = is_private ? own : Node{format_clock_, 0, 0, machine_};
  if (own != clock && !graph.convert(own, 0, clock)) tie(own, clock);
  if (clock == trace_time || graph.convert(clock, 0, trace_time)) return;
  const Node here{domain::kRealtime, 0, 0, machine_},
      there{domain::kRealtime, 0, 0, trace_time.machine};
  if (here != there && graph.convert(clock, 0, here) && graph.convert(there, 0, trace_time)) {
    if (!graph.convert(here, 0, there)) tie(here, there);
  } else if (is_private || trace_time.clock == domain::kPrivate ||
             clock.clock == trace_time.clock) {
    tie(clock, trace_time);
  } else {
    ++graph.stats["clock_sync_unrelatable_clock_domains"];
  }
}

Tracker::Outcome Tracker::to_trace_time(const FileClock& clock, int64_t ticks) {
  if (!is_placed_) place();
  ++conversions_;
  Graph& graph = shared_.graph;
  const Node from = qualify(clock);
  if (const std::optional<int64_t> ns = graph.convert(from, ticks, graph.trace_time))
    return {ns, {}};
  return {std::nullopt, graph.failure(from, graph.trace_time)};
}

// Applies spec clocks 8.
void Tracker::remote_sync(const std::vector<Element>& elements) {
  struct Readings {
    int64_t client = 0, host = 0;
  };
  std::vector<std::map<uint32_t, Readings>> rounds;
  for (const auto& [client, host] : elements) {
    snapshot(client);
    std::map<uint32_t, Readings>& round = rounds.emplace_back();
    for (const FileReading& reading : host) round[reading.clock.clock].host = reading.ticks;
    for (const FileReading& reading : client) round[reading.clock.clock].client = reading.ticks;
  }
  constexpr uint64_t kRound = 30'000'000'000;
  std::map<uint32_t, std::vector<int64_t>> offsets;
  for (size_t i = 1; i < rounds.size(); ++i) {
    auto &before = rounds[i - 1], &after = rounds[i];
    const auto passed = static_cast<uint64_t>(after[domain::kBoottime].client) -
                        static_cast<uint64_t>(before[domain::kBoottime].client);
    if (passed >= kRound) continue;
    for (const auto& [clock, first] : before) {
      const Readings second = after[clock];
      if (first.client == 0 || first.host == 0 || second.client == 0 || second.host == 0) continue;
      offsets[clock].push_back(
          subtract(reference::add(first.client, second.client) / 2, first.host));
      offsets[clock].push_back(
          subtract(second.client, reference::add(first.host, second.host) / 2));
    }
  }
  for (const auto& [clock, found] : offsets) {
    int64_t sum = 0, anchor = 0;
    for (const int64_t offset : found) sum = reference::add(sum, offset);
    const int64_t offset = sum / static_cast<int64_t>(found.size());
    for (auto& round : rounds)
      if (round[clock].host != 0) anchor = round[clock].host;
    shared_.graph.add({{{clock, 0, 0, shared_.graph.trace_time.machine}, anchor, 1, false},
                       {{clock, 0, 0, machine_}, reference::add(anchor, offset), 1, false}});
  }
}

}  // namespace tracebraid::reference
