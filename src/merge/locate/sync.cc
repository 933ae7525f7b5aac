#include "merge/locate/sync.h"
#include "base/disjoint_sets.h"
#include "merge/locate/stats.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace tracebraid {
namespace {

using NamedClock = SyncReport::NamedClock;
using Marker = SyncReport::Marker;
using Sync = SyncReport::Sync;

constexpr std::string_view kMachineClock = "LINUX_CLOCK_MONOTONIC";
constexpr std::string_view kUnnamed = "UNKNOWN_CHROME_LEGACY";
// The named clocks that an unnamed clock of Chrome may be (spec json 6.3).
constexpr std::array<std::string_view, 3> kChromeClocks{
    "MAC_MACH_ABSOLUTE_TIME", "WIN_ROLLOVER_PROTECTED_TIME_GET_TIME", "WIN_QPC"};
// A marker whose acknowledgement is slow: its moment is at the start.
constexpr std::string_view kSlowAnswer = "BATTOR";
constexpr int64_t kSlowAnswerNs = 3'000'000;
// A sync id with more clocks relates each clock to the first only.
constexpr size_t kMaxPairedClocks = 64;

// Returns the domain of a global clock of this name (spec clocks 1.3).
uint32_t global_domain(std::string_view name) {
  uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619U;
  return hash | 0x80000000U;
}

class Gatherer {
 public:
  Gatherer(std::span<const FileToLocate> files, const Trackers& trackers, SyncReport& report)
      : files_(files), trackers_(trackers), report_(report) {}

  void add(const BatchTrackers& batch, const std::vector<ClockId>& nodes) {
    for (const ClockDomainName& name : batch.batch->clock_domains) {
      if (!nodes[name.clock]) continue;
      NamedClock& clock = report_.clocks[index_of(batch, nodes, name.clock)];
      clock.domain = batch.batch->strings.get(name.name);
      clock.is_named = true;
    }
    for (const SyncMarker& marker : batch.batch->sync_markers) {
      const int64_t tick_ns = batch.batch->clocks[marker.clock].tick_ns;
      Marker found{.clock = 0,
                   .sync_id = std::string(batch.batch->strings.get(marker.sync_id)),
                   .is_issuer = marker.is_issuer};
      if (!nodes[marker.clock] || marker.begin > marker.end ||
          __builtin_mul_overflow(marker.begin, tick_ns, &found.begin) ||
          __builtin_mul_overflow(marker.end, tick_ns, &found.end))
        continue;
      found.clock = index_of(batch, nodes, marker.clock);
      NamedClock& clock = report_.clocks[found.clock];
      clock.has_marker = true;
      if (clock.domain.empty() && marker.domain)
        clock.domain = batch.batch->strings.get(marker.domain);
      report_.markers.push_back(std::move(found));
    }
  }

 private:
  size_t index_of(const BatchTrackers& batch, const std::vector<ClockId>& nodes, uint32_t clock) {
    const auto [at, added] = index_.try_emplace(nodes[clock], report_.clocks.size());
    if (added) {
      const uint32_t tracker = batch.by_machine[batch.batch->clocks[clock].machine];
      report_.clocks.push_back({.node = nodes[clock],
                                .own = nodes[clock],
                                .scope = {files_[batch.file].file, trackers_.at(tracker).machine}});
    }
    return at->second;
  }

  std::span<const FileToLocate> files_;
  const Trackers& trackers_;
  SyncReport& report_;
  absl::flat_hash_map<ClockId, size_t> index_;
};

// Clocks of one machine with the same name are one clock.
void tie_names(const SyncOptions& options, SyncReport& report, ClockGraph& graph) {
  std::map<std::pair<MachineId, std::string_view>, std::vector<NamedClock*>> by_name;
  for (NamedClock& clock : report.clocks)
    if (clock.is_named && !(options.same_domain && clock.has_marker))
      by_name[{clock.scope.machine, clock.domain}].push_back(&clock);
  for (const auto& [name, clocks] : by_name) {
    const bool is_of_machine = name.second == kMachineClock;
    if (clocks.size() < 2 && !is_of_machine) continue;
    const uint32_t domain = is_of_machine ? domain::kMonotonic : global_domain(name.second);
    const ClockId shared = graph.add(canonical_key(domain, name.first));
    for (NamedClock* clock : clocks) {
      if (clock->own == shared) continue;
      std::ignore = graph.tie(clock->own, shared, EvidenceKind::SameClock);
      clock->node = shared;
    }
  }
}

int64_t length(const Marker& marker) {
  int64_t ns = 0;
  return __builtin_sub_overflow(marker.end, marker.begin, &ns) ? kUnbounded : ns;
}

// Returns the time of a marker that is matched with one of `other`.
int64_t time_of(const Marker& marker, std::string_view other) {
  const int64_t ns = length(marker);
  if (other == kSlowAnswer && ns > kSlowAnswerNs) return marker.begin;
  return marker.begin + ns / 2;
}

class Syncs {
 public:
  explicit Syncs(SyncReport& report) : report_(report) {}

  void make() {
    std::map<std::string_view, size_t> index;
    for (size_t i = 0; i < report_.markers.size(); ++i) {
      const auto [at, added] = index.try_emplace(report_.markers[i].sync_id, groups_.size());
      if (added) groups_.emplace_back();
      take(i, groups_[at->second]);
    }
    for (const std::vector<size_t>& group : groups_) pair(group);
    choose();
  }

 private:
  const NamedClock& clock_of(size_t marker) const {
    return report_.clocks[report_.markers[marker].clock];
  }
  void log(StatId stat, const NamedClock& clock, std::string_view arg, int64_t value) {
    report_.logs.push_back({.stat = stat, .scope = clock.scope, .arg = arg, .value = value});
  }

  void take(size_t marker, std::vector<size_t>& group) {
    const NamedClock& clock = clock_of(marker);
    const int64_t at = report_.markers[marker].begin;
    if (!seen_.insert({report_.markers[marker].sync_id, clock.node}).second)
      return log(stats::clock_sync_self, clock, "marker_ns", at);
    group.push_back(marker);
    if (group.size() > 2) log(stats::clock_sync_third_marker, clock, "marker_ns", at);
  }

  void pair(const std::vector<size_t>& group) {
    if (group.size() == 1)
      return log(stats::clock_sync_incomplete, clock_of(group[0]), "marker_ns",
                 report_.markers[group[0]].begin);
    const size_t firsts = group.size() > kMaxPairedClocks ? 1 : group.size();
    for (size_t i = 0; i < firsts; ++i)
      for (size_t j = i + 1; j < group.size(); ++j) add(group[i], group[j]);
  }

  void add(size_t a, size_t b) {
    if (clock_of(b).domain < clock_of(a).domain) std::swap(a, b);
    const Marker &from = report_.markers[a], &to = report_.markers[b];
    Sync sync{.from = from.clock,
              .to = to.clock,
              .at_from = time_of(from, clock_of(b).domain),
              .at_to = time_of(to, clock_of(a).domain),
              .error_ns = 0,
              .sync_id = from.sync_id};
    int64_t offset = 0;
    if (__builtin_sub_overflow(sync.at_to, sync.at_from, &offset) ||
        __builtin_add_overflow(length(from), length(to), &sync.error_ns))
      return;
    report_.syncs.push_back(std::move(sync));
  }

  // Chooses the sync with the least error; of equal ones, the first (spec json 6.3).
  void choose() {
    std::map<std::pair<ClockId, ClockId>, size_t> best;
    for (size_t i = 0; i < report_.syncs.size(); ++i) {
      const Sync& sync = report_.syncs[i];
      const ClockId a = report_.clocks[sync.from].node, b = report_.clocks[sync.to].node;
      const auto [at, added] = best.try_emplace(std::minmax(a, b), i);
      if (added) continue;
      const Sync& other = report_.syncs[at->second];
      const __int128 offset = __int128{sync.at_to} - sync.at_from;
      __int128 before = __int128{other.at_to} - other.at_from;
      if (report_.clocks[other.from].node != a) before = -before;
      const __int128 apart = offset > before ? offset - before : before - offset;
      if (apart > __int128{sync.error_ns} + other.error_ns)
        log(stats::clock_sync_inconsistent, report_.clocks[sync.to], "difference_ns",
            static_cast<int64_t>(std::min<__int128>(apart, INT64_MAX)));
      if (sync.error_ns < other.error_ns) at->second = i;
    }
    for (const auto& [pair, i] : best) report_.syncs[i].is_best = true;
  }

  SyncReport& report_;
  std::vector<std::vector<size_t>> groups_;  // each: markers of one sync id, in different clocks
  std::set<std::pair<std::string_view, ClockId>> seen_;
};

// Returns the unnamed clock of Chrome that takes part in syncs; null if there is none.
const NamedClock* unnamed_clock(const SyncReport& report) {
  for (const NamedClock& clock : report.clocks)
    if (!clock.is_named && clock.domain == kUnnamed) return &clock;
  return nullptr;
}

bool is_chromes(const NamedClock& clock) {
  return std::ranges::find(kChromeClocks, clock.domain) != kChromeClocks.end();
}

// Returns MONOTONIC of the machine, if a snapshot has it; it is the clock of Chrome as well.
std::optional<ClockId> monotonic_of(const NamedClock& clock, const ClockGraph& graph) {
  const auto monotonic = graph.find(canonical_key(domain::kMonotonic, clock.scope.machine));
  return monotonic && graph.was_read(*monotonic) ? monotonic : std::nullopt;
}

// Returns the groups of clocks that the graph, tie_unnamed() and the best syncs join.
class Components {
 public:
  Components(const SyncReport& report, const ClockGraph& graph)
      : report_(report), graph_(graph), sets_(report.clocks.size()) {
    std::map<uint32_t, size_t> firsts;
    for (size_t i = 0; i < sets_.size(); ++i) {
      const auto [at, added] = firsts.try_emplace(graph.component(report.clocks[i].node), i);
      if (!added) sets_.join(i, at->second);
    }
    for (const Sync& sync : report.syncs)
      if (sync.is_best) sets_.join(sync.from, sync.to);
    const NamedClock* unnamed = unnamed_clock(report);
    if (unnamed == nullptr) return;
    unnamed_ = static_cast<size_t>(unnamed - report.clocks.data());
    for (size_t i = 0; i < sets_.size(); ++i)
      if (is_chromes(report.clocks[i])) sets_.join(i, unnamed_);
    monotonic_ = monotonic_of(*unnamed, graph);
    if (!monotonic_) return;
    sets_.join(firsts.try_emplace(graph.component(*monotonic_), unnamed_).first->second, unnamed_);
  }

  size_t root(size_t clock) { return sets_.root(clock); }

  // Returns the group with the timeline, else the largest group; of equal ones, the first.
  size_t main() {
    if (monotonic_ && graph_.are_connected(*monotonic_, graph_.trace_time())) return root(unnamed_);
    std::vector<size_t> sizes(sets_.size());
    for (size_t i = 0; i < sets_.size(); ++i) {
      if (graph_.are_connected(report_.clocks[i].node, graph_.trace_time())) return root(i);
      ++sizes[root(i)];
    }
    return static_cast<size_t>(std::ranges::max_element(sizes) - sizes.begin());
  }

 private:
  const SyncReport& report_;
  const ClockGraph& graph_;
  DisjointSets sets_;
  size_t unnamed_ = 0;
  std::optional<ClockId> monotonic_;  // of the unnamed clock's machine
};

// Relates the two clocks of a sync at one moment.
void add_snapshot(const Sync& sync, int64_t at_from, int64_t at_to, bool is_on_line,
                  const SyncReport& report, ClockGraph& graph) {
  const NamedClock &from = report.clocks[sync.from], &to = report.clocks[sync.to];
  const ClockReading both[] = {{.clock = from.node, .ticks = at_from, .tick_ns = kAlreadyNs},
                               {.clock = to.node, .ticks = at_to, .tick_ns = kAlreadyNs}};
  // Refused only if the times are too far apart for any offset.
  std::ignore = graph.add_snapshot(both, {.uncertainty_ns = (sync.error_ns + 1) / 2,
                                          .file = to.scope.file,
                                          .is_on_line = is_on_line,
                                          .source = EvidenceSource::SyncMarker});
}

enum class LineFit : uint8_t {
  Added,
  NoLine,    // too few syncs, or too near each other
  TooSteep,  // for clocks that drift
};

// Adds a line through all syncs of the clocks of `best`, by least squares.
LineFit add_line(const Sync& best, const SyncReport& report, ClockGraph& graph) {
  constexpr double kShortestNs = 1e9, kSteepest = 1e-3, kMicrosecond = 1e3;
  const ClockId from = report.clocks[best.from].node, to = report.clocks[best.to].node;
  struct Point {
    double x, y, weight;  // x, y: against `best`
  };
  std::vector<Point> points;
  for (const Sync& sync : report.syncs) {
    const ClockId a = report.clocks[sync.from].node, b = report.clocks[sync.to].node;
    if (std::minmax(a, b) != std::minmax(from, to)) continue;
    const bool is_swapped = a != from;
    const double x = static_cast<double>(is_swapped ? sync.at_to : sync.at_from) -
                     static_cast<double>(best.at_from);
    const double y = static_cast<double>(is_swapped ? sync.at_from : sync.at_to) -
                     static_cast<double>(best.at_to) - x;
    const double error = static_cast<double>(sync.error_ns) + kMicrosecond;
    points.push_back({x, y, 1 / (error * error)});
  }
  const auto [first, last] = std::ranges::minmax_element(points, {}, &Point::x);
  if (points.size() < 2 || last->x - first->x < kShortestNs) return LineFit::NoLine;
  double weights = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Point& point : points) {
    weights += point.weight;
    x += point.weight * point.x;
    y += point.weight * point.y;
  }
  x /= weights;
  y /= weights;
  for (const Point& point : points) {
    xx += point.weight * (point.x - x) * (point.x - x);
    xy += point.weight * (point.x - x) * (point.y - y);
  }
  const double slope = xy / xx;
  if (!(std::abs(slope) <= kSteepest)) return LineFit::TooSteep;
  for (const double end : {first->x, last->x}) {
    const auto shift = static_cast<int64_t>(std::llround(y + slope * (end - x)));
    const auto into = static_cast<int64_t>(end);
    int64_t at_from = 0, at_to = 0;
    if (!__builtin_add_overflow(best.at_from, into, &at_from) &&
        !__builtin_add_overflow(best.at_to, into, &at_to) &&
        !__builtin_add_overflow(at_to, shift, &at_to))
      add_snapshot(best, at_from, at_to, true, report, graph);
  }
  return LineFit::Added;
}

// Ties an unnamed clock of Chrome to one of the named clocks (spec json 6.3).
void tie_unnamed(const SyncReport& report, ClockGraph& graph) {
  const NamedClock* unnamed = unnamed_clock(report);
  if (unnamed == nullptr) return;
  const auto tie = [&](ClockId named) {
    if (!graph.are_connected(unnamed->node, named))
      std::ignore = graph.tie(unnamed->node, named, EvidenceKind::Guessed);
  };
  if (const auto monotonic = monotonic_of(*unnamed, graph)) tie(*monotonic);
  for (const NamedClock& clock : report.clocks)
    if (is_chromes(clock)) tie(clock.node);
}

}  // namespace

SyncReport add_named_clocks(std::span<const FileToLocate> files, const MachineRegistry& registry,
                            const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
                            const SyncOptions& options, ClockGraph& graph) {
  SyncReport report;
  Gatherer gatherer(files, trackers, report);
  for (size_t i = 0; i < trackers.batches.size(); ++i)
    if (!registry.files[trackers.batches[i].file].is_pinned())
      gatherer.add(trackers.batches[i], nodes[i]);
  tie_names(options, report, graph);
  return report;
}

Result<> add_sync_markers(const SyncOptions& options, SyncReport& report, ClockGraph& graph) {
  if (report.clocks.empty()) return {};
  Syncs(report).make();
  Components components(report, graph);
  const size_t main = components.main();
  std::vector<bool> is_counted(report.clocks.size());
  for (size_t i = 0; i < report.clocks.size(); ++i) {
    const size_t root = components.root(i);
    if (root == main || is_counted[root]) continue;
    is_counted[root] = true;
    if (options.must_be_linked)
      return fail(ErrorCode::BadInput,
                  fmt::format("Unable to select a master clock domain because no path can be found "
                              "from \"{}\" to \"{}\".",
                              report.clocks[main].domain, report.clocks[i].domain));
    report.logs.push_back({.stat = stats::clock_sync_disconnected,
                           .scope = report.clocks[i].scope,
                           .arg = "clock_row",
                           .value = report.clocks[i].node.row});
  }
  for (Sync& sync : report.syncs) {
    sync.is_best = sync.is_best && components.root(sync.from) == main;
    if (!sync.is_best) continue;
    const LineFit fit = options.fit_line ? add_line(sync, report, graph) : LineFit::NoLine;
    if (fit == LineFit::Added) continue;
    if (fit == LineFit::TooSteep)
      report.logs.push_back({.stat = stats::clock_fit_rejected,
                             .scope = report.clocks[sync.to].scope,
                             .arg = "clock_row",
                             .value = report.clocks[sync.to].node.row});
    add_snapshot(sync, sync.at_from, sync.at_to, false, report, graph);
  }
  tie_unnamed(report, graph);
  return {};
}

}  // namespace tracebraid
