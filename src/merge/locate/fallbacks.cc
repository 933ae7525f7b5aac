#include "merge/locate/fallbacks.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "base/assert.h"
#include "merge/locate/batch_summary.h"

namespace tracebraid {
namespace {

// Files of the timeline's machine meet on a clock that never steps, because the wall clock of a
// second capture must not shift the timeline. Other machines meet on wall-clock time first.
constexpr std::array kSteadyFirst{domain::kBoottime,       domain::kMonotonic,
                                  domain::kMonotonicRaw,   domain::kRealtime,
                                  domain::kRealtimeCoarse, domain::kMonotonicCoarse};
constexpr std::array kWallClockFirst{domain::kRealtime,     domain::kRealtimeCoarse,
                                     domain::kBoottime,     domain::kMonotonic,
                                     domain::kMonotonicRaw, domain::kMonotonicCoarse};

// Returns the rank of a domain; domains that are not listed come last, by number.
uint32_t preference(uint32_t domain, bool is_steady_first) {
  const auto& order = is_steady_first ? kSteadyFirst : kWallClockFirst;
  const auto at = std::ranges::find(order, domain);
  return at == order.end() ? static_cast<uint32_t>(order.size()) + domain
                           : static_cast<uint32_t>(at - order.begin());
}

bool is_isolated(const ClockKey& key) {
  return key.file && key.sequence == 0 && key.domain != domain::kPrivate &&
         key.domain < domain::kFirstOfSequence;
}

// Returns how far the wall clock of the machine is ahead of the true time, ns.
int64_t skew_of(MachineId machine, const MachineRegistry& registry) {
  const auto at = registry.skews.find(machine);
  return at == registry.skews.end() ? 0 : at->second;
}

// Relates two wall clocks that show the true time, except for their known skews.
void meet(ClockId here, int64_t here_skew, ClockId there, int64_t there_skew, int64_t distance_ns,
          ClockGraph& graph) {
  const int64_t truth = std::max<int64_t>({0, -here_skew, -there_skew});
  const ClockReading both[] = {
      {.clock = here, .ticks = truth + here_skew, .tick_ns = kAlreadyNs},
      {.clock = there, .ticks = truth + there_skew, .tick_ns = kAlreadyNs}};
  TB_ASSERT(
      graph.add_snapshot(both, {.kind = EvidenceKind::Rendezvous, .uncertainty_ns = distance_ns})
          .has_value());
}

// Relates two clocks, zero apart. Breaks no rule of a snapshot, because the clocks differ.
void tie(ClockId a, ClockId b, EvidenceKind kind, ClockGraph& graph) {
  TB_ASSERT(graph.tie(a, b, kind).has_value());
}

// Whether an event of the tracker has a wall-clock time.
bool has_wall_clock_events(uint32_t tracker, std::span<const FileToLocate> files,
                           const MachineRegistry& registry, const Trackers& trackers) {
  for (const BatchTrackers& batch : batches_of(trackers.at(tracker).file, trackers)) {
    std::vector<bool> is_wall_clock;  // by clock
    for (const ClockName& name : batch.batch->clocks) {
      const auto key = key_of(name, batch, files, registry, trackers);
      is_wall_clock.push_back(batch.by_machine[name.machine] == tracker && key &&
                              key->domain == domain::kRealtime);
    }
    if (std::ranges::find(is_wall_clock, true) == is_wall_clock.end()) continue;
    for (size_t i = 0; batch.summary != nullptr && i < is_wall_clock.size(); ++i)
      if (is_wall_clock[i] && batch.summary->clocks[i].events > 0) return true;
    for (const Stream& stream : batch.batch->streams)
      if (std::ranges::any_of(stream.events,
                              [&](const Event& e) { return is_wall_clock[e.clock]; }))
        return true;
  }
  return false;
}

bool is_on_timeline(const ClockKey& key, const ClockGraph& graph) {
  const std::optional<ClockId> node = graph.find(key);
  return node && graph.are_connected(*node, graph.trace_time());
}

}  // namespace

void tie_isolated_clocks(ClockGraph& graph) {
  const MachineId timeline = graph.key(graph.trace_time()).machine;
  std::vector<ClockId> nodes;
  for (uint32_t row = 0; row < graph.size(); ++row)
    if (is_isolated(graph.key(ClockId{row}))) nodes.push_back(ClockId{row});
  std::ranges::stable_sort(nodes, {}, [&](ClockId node) {
    const ClockKey& key = graph.key(node);
    return std::tuple(key.machine, preference(key.domain, key.machine == timeline), key.file);
  });
  const auto tie_with_machine = [&](ClockId node, auto says_something) {
    const ClockKey key = graph.key(node);
    const ClockId shared = graph.add(canonical_key(key.domain, key.machine));
    if (says_something(shared) && !graph.are_connected(node, shared))
      tie(node, shared, EvidenceKind::SameClock, graph);
  };
  for (const ClockId node : nodes)
    if (graph.was_read(node)) tie_with_machine(node, [](ClockId) { return true; });
  // An unspecified clock of a file means the clock that all other files of the machine, or the
  // timeline, use.
  for (const ClockId node : nodes)
    tie_with_machine(node, [&](ClockId shared) {
      return graph.was_read(shared) || shared == graph.trace_time();
    });
}

void meet_on_wall_clock(std::span<const FileToLocate> files, const MachineRegistry& registry,
                        const Trackers& trackers, const WallClockErrors& errors,
                        ClockGraph& graph) {
  const ClockId timeline = graph.trace_time();
  const MachineId home = graph.key(timeline).machine;
  const std::optional<ClockId> there = graph.find(canonical_key(domain::kRealtime, home));
  if (!there || !graph.are_connected(*there, timeline)) return;

  std::map<MachineId, std::vector<uint32_t>> by_machine;
  for (uint32_t i = 0; i < trackers.all.size(); ++i)
    if (trackers.at(i).machine != home) by_machine[trackers.at(i).machine].push_back(i);
  for (const auto& [machine, of_machine] : by_machine) {
    const ClockKey key = canonical_key(domain::kRealtime, machine);
    const std::optional<ClockId> here = graph.find(key);
    if (!here || graph.are_connected(*here, timeline)) continue;
    const bool is_needed =
        std::ranges::any_of(of_machine, [&](uint32_t i) { return trackers.at(i).has_events; });
    const bool is_known = graph.was_read(*here) || std::ranges::any_of(of_machine, [&](uint32_t i) {
                            return format_key(trackers.at(i), files, registry) == key ||
                                   has_wall_clock_events(i, files, registry, trackers);
                          });
    if (is_known && is_needed)
      meet(*here, skew_of(machine, registry), *there, skew_of(home, registry),
           wall_clock_distance(machine, home, errors), graph);
  }
  tie_isolated_clocks(graph);  // a wall clock used only by events may have a place now
}

void tie_own_clocks(std::span<const FileToLocate> files, const MachineRegistry& registry,
                    const Trackers& trackers, ClockGraph& graph) {
  const auto tie_unless_known = [&](const ClockKey& own, const ClockKey& usual) {
    const ClockId a = graph.add(own), b = graph.add(usual);
    if (a != b && !graph.are_connected(a, b) && !graph.are_connected(a, graph.trace_time()))
      tie(a, b, EvidenceKind::Guessed, graph);
  };
  for (const BatchTrackers& batch : trackers.batches) {
    for (const ClockName& name : batch.batch->clocks) {
      const Tracker& tracker = trackers.at(batch.by_machine[name.machine]);
      const bool is_own = name.domain == domain::kPrivate && name.sequence != 0;
      if (!is_own || is_private(tracker, files, registry)) continue;
      const auto key = key_of(name, batch, files, registry, trackers);
      if (key) tie_unless_known(*key, format_key(tracker, files, registry));
    }
  }
  for (uint32_t i = 0; i < trackers.all.size(); ++i) {
    const Tracker& tracker = trackers.at(i);
    if (tracker.embedded_in == kNone || !tracker.has_events) continue;
    const Tracker& around = trackers.at(tracker.embedded_in);
    if (files[around.file].format->clock.domain == 0) continue;
    tie_unless_known(format_key(tracker, files, registry), format_key(around, files, registry));
  }
}

std::vector<Unrelatable> guess_the_rest(std::span<const FileToLocate> files,
                                        const MachineRegistry& registry, const Trackers& trackers,
                                        ClockGraph& graph) {
  const ClockKey timeline = graph.key(graph.trace_time());
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < trackers.all.size(); ++i)
    if (format_key(trackers.at(i), files, registry).domain != 0) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](uint32_t i) {
    const ClockKey key = format_key(trackers.at(i), files, registry);
    return std::tuple(preference(key.domain, true), key.machine, key.file);
  });

  std::vector<uint32_t> left;
  for (const uint32_t i : order) {
    const Tracker& tracker = trackers.at(i);
    const ClockKey key = format_key(tracker, files, registry);
    if (is_on_timeline(key, graph) || !tracker.has_events) continue;
    const bool may_guess = key.domain == domain::kPrivate || timeline.domain == domain::kPrivate ||
                           key.domain == timeline.domain;
    if (!may_guess) {
      left.push_back(i);
      continue;
    }
    const ClockId node = graph.add(key);
    tie(node, graph.trace_time(), EvidenceKind::Guessed, graph);
    if (key.domain == domain::kPrivate) continue;
    const std::optional<ClockId> own = graph.find(key_of(tracker, key.domain, 0, files));
    if (own && !graph.are_connected(*own, node)) tie(*own, node, EvidenceKind::SameClock, graph);
  }

  std::vector<Unrelatable> unrelatable;
  for (const uint32_t i : left) {
    const Tracker& tracker = trackers.at(i);
    const ClockKey key = format_key(tracker, files, registry);
    if (!is_on_timeline(key, graph))
      unrelatable.push_back(
          {{files[tracker.file].file, tracker.machine}, key.domain, timeline.domain});
  }
  return unrelatable;
}

}  // namespace tracebraid
