// Simulation: recordings of machines whose clocks are wrong in known ways, and the true time of
// each event.
//
// Input: a kind of world and a seed. Output: recordings and true times. Called by
// merge/simulation_test.cc and bench/clock_accuracy.cc, which measure placing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracebraid::generate {

enum class World : uint8_t {
  Drift,      // a device clock that drifts against BOOTTIME, with snapshots of both
  Machines,   // machines that send messages to each other and pings to the host
  WallClock,  // events in REALTIME, which is slewed and stepped by NTP
  Suspend,    // events in MONOTONIC of a machine that is suspended at times
  Sync,       // JSON files that noted the same moments
};
inline constexpr World kWorlds[] = {World::Drift, World::Machines, World::WallClock, World::Suspend,
                                    World::Sync};
std::string_view name_of(World world);

struct SimulationOptions {
  World world = World::Drift;
  uint64_t seed = 1;
  int64_t duration_ns = 300'000'000'000;
  int64_t snapshots_every_ns = 10'000'000'000;
  double drift_ppm = 20;  // drift of each clock, positive or negative
  uint32_t machines = 3;  // remote ones
  uint32_t events = 2000;
};

struct SimulatedFile {
  std::string name, bytes;
};

struct TrueEvent {
  std::string name;  // the only slice of this name
  int64_t true_ns;   // true reading of the clock of the timeline
  // The clock of the recording: domain, machine id in the file (0 is the host), file.
  uint32_t domain, machine, file;
  int64_t reading;  // ns
  // The time by the reference rule: offset of the nearest earlier observation, mean of pings (spec
  // clocks 3.3, 8).
  int64_t reference_ns;
};

struct Message {  // indexes of events; the second is later
  size_t sent, received;
};

struct Simulation {
  std::vector<SimulatedFile> files;
  std::vector<TrueEvent> events;
  std::vector<Message> messages;
};

Simulation simulate(const SimulationOptions& options);

}  // namespace tracebraid::generate
