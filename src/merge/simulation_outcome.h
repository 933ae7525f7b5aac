// Places the events of a simulation and compares them with their true times. For tests and
// benchmarks.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "clock/error_bounds.h"
#include "clock/segment_maps.h"
#include "generate/simulate/simulation.h"
#include "merge/merge.h"

namespace tracebraid {

// Distances from the truth, ns.
struct Accuracy {
  size_t events = 0;
  size_t placed = 0;
  int64_t median = 0, p99 = 0, worst = 0;
  size_t within = 0;        // placed events whose truth lies in the bound
  int64_t usual_bound = 0;  // median
  size_t violations = 0;    // messages that arrive before they were sent
};

namespace simulation_detail {

class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "simulation.XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string write(const generate::SimulatedFile& file) const {
    const std::string path = path_ + "/" + file.name;
    std::ofstream(path, std::ios::binary) << file.bytes;
    return path;
  }

 private:
  std::string path_;
};

inline int64_t at_share(std::vector<int64_t> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

inline void summarise(const std::vector<int64_t>& errors, Accuracy& accuracy) {
  accuracy.placed = errors.size();
  accuracy.median = at_share(errors, 0.5);
  accuracy.p99 = at_share(errors, 0.99);
  accuracy.worst = at_share(errors, 1);
}

// Returns the node of the clock in which the event was recorded.
inline ClockId clock_of(const generate::TrueEvent& event, const Merged& merged) {
  const ClockGraph& graph = merged.clocks->graph;
  for (uint32_t row = 0; row < graph.size(); ++row) {
    const ClockKey& key = graph.key(ClockId{row});
    if (key.domain != event.domain || !key.machine) continue;
    if (merged.store->machines.raw_id[key.machine.row] != event.machine) continue;
    if (key.domain == domain::kPrivate && key.file.row != event.file) continue;
    return ClockId{row};
  }
  return {};
}

}  // namespace simulation_detail

// Returns the accuracy of the reference rule.
inline Accuracy accuracy_of_reference(const generate::Simulation& simulation) {
  std::vector<int64_t> errors;
  for (const generate::TrueEvent& event : simulation.events)
    errors.push_back(std::abs(event.reference_ns - event.true_ns));
  Accuracy accuracy{.events = errors.size()};
  simulation_detail::summarise(errors, accuracy);
  for (const generate::Message& message : simulation.messages)
    accuracy.violations += simulation.events[message.received].reference_ns <
                           simulation.events[message.sent].reference_ns;
  return accuracy;
}

// A simulation whose files are merged.
struct PlacedWorld {
  struct Event {
    ClockId clock;
    int64_t ts = 0;
  };
  Merged merged;
  // Indexed as Simulation::events; none for an event that was refused.
  std::vector<std::optional<Event>> events;

  int64_t ts_of(size_t event) const { return events[event] ? events[event]->ts : 0; }
};

inline PlacedWorld placed_world(const generate::Simulation& simulation, ClockModel model) {
  const simulation_detail::Folder folder;
  std::vector<TraceInput> inputs;
  for (const generate::SimulatedFile& file : simulation.files)
    inputs.push_back({.name = folder.write(file)});
  Workers workers(1);
  Progress progress;
  Result<Merged> merged = merge(inputs, {.clock_model = model}, workers, progress);
  if (!merged) std::abort();
  PlacedWorld world{.merged = *std::move(merged), .events = {}};

  const Store& store = *world.merged.store;
  std::map<std::string_view, int64_t> places;
  for (size_t row = 0; row < store.slices.rows(); ++row)
    places[store.strings.get(store.slices.name[row])] = store.slices.ts[row];
  std::map<std::pair<uint32_t, uint32_t>, ClockId> clocks;
  for (const generate::TrueEvent& event : simulation.events) {
    std::optional<PlacedWorld::Event>& placed = world.events.emplace_back();
    const auto place = places.find(event.name);
    if (place == places.end()) continue;
    const auto [clock, added] = clocks.try_emplace({event.machine, event.file});
    if (added) clock->second = simulation_detail::clock_of(event, world.merged);
    placed = {clock->second, place->second};
  }
  return world;
}

// Returns the bounds of events, also of those that the order of the file places.
class EventBounds {
 public:
  explicit EventBounds(const MergedClocks& clocks)
      : clocks_(clocks), bounds_(clocks.graph, clocks.placement) {}

  int64_t of(const PlacedWorld::Event& event, int64_t reading) {
    const int64_t bound = bounds_.at(event.clock, reading);
    if (bound != kUnbounded || !set_back_clock(clocks_.placement, event.clock)) return bound;
    const auto maps =
        maps_.try_emplace(event.clock, clocks_.graph, clocks_.placement, event.clock).first;
    for (const SegmentMaps::Candidate& candidate : maps->second.candidates(reading))
      if (candidate.ts == event.ts)
        return maps->second.worst(candidate.segment, reading, reading, bounds_);
    return bound;
  }

 private:
  const MergedClocks& clocks_;
  ErrorBounds bounds_;
  std::map<ClockId, SegmentMaps> maps_;
};

inline Accuracy accuracy_of(const generate::Simulation& simulation, ClockModel model) {
  const PlacedWorld world = placed_world(simulation, model);
  Accuracy accuracy{.events = simulation.events.size()};
  EventBounds bounds(*world.merged.clocks);
  std::vector<int64_t> errors, all_bounds;
  for (size_t i = 0; i < simulation.events.size(); ++i) {
    const generate::TrueEvent& event = simulation.events[i];
    const std::optional<PlacedWorld::Event>& placed = world.events[i];
    if (!placed) continue;
    errors.push_back(std::abs(placed->ts - event.true_ns));
    all_bounds.push_back(bounds.of(*placed, event.reading));
    accuracy.within += errors.back() <= all_bounds.back();
  }
  simulation_detail::summarise(errors, accuracy);
  accuracy.usual_bound = simulation_detail::at_share(all_bounds, 0.5);
  for (const generate::Message& message : simulation.messages)
    accuracy.violations += world.ts_of(message.received) < world.ts_of(message.sent);
  return accuracy;
}

}  // namespace tracebraid
