// Power: batteries, power rails, energy, wakelocks, CPU time of users (spec proto 6.4).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/proto/packet_output.h"

namespace tracebraid::proto {

// State of earlier packets that later ones depend on.
struct PowerState {
  // Tracks of power rails by session and index.
  absl::flat_hash_map<std::pair<uint64_t, uint32_t>, uint32_t> rails;
  struct Consumer {
    std::string name;
    uint32_t source_args = kNone;
  };
  absl::flat_hash_map<int32_t, Consumer> consumers;  // by id
  // Tracks by entity and state.
  absl::flat_hash_map<std::pair<int32_t, int32_t>, uint32_t> entities;

  struct Wakelock {
    uint32_t track = kNone;
    uint64_t held_ms = 0;
  };
  // CPU time of one user on one cluster.
  struct UserTime {
    uint32_t track = kNone;
    uint64_t total_ms = 0;
    uint64_t since_first_ms = 0;  // without the writer's first packet
  };
  struct CpuTimes {
    uint32_t clusters = 0;
    std::map<std::pair<uint32_t, uint32_t>, UserTime> users;  // by user and cluster
    std::vector<uint64_t> apps_ms, system_ms;                 // by cluster, since the first packet
  };
  // Values that one writer accumulates, until it clears its state.
  struct Writer {
    uint64_t generation = 0;
    absl::flat_hash_map<uint32_t, Wakelock> wakelocks;
    CpuTimes cpu_times;
  };
  absl::flat_hash_map<uint32_t, Writer> writers;  // by sequence
};

void read_battery(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_power_rails(const PacketInfo& packet, std::string_view message, PowerState& state,
                      PacketOutput& out);
void read_energy_breakdown(const PacketInfo& packet, std::string_view message, PowerState& state,
                           PacketOutput& out);
void read_entity_residency(const PacketInfo& packet, std::string_view message, PowerState& state,
                           PacketOutput& out);
void read_kernel_wakelocks(const PacketInfo& packet, std::string_view message, PowerState& state,
                           PacketOutput& out);
void read_app_wakelocks(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_cpu_per_uid(const PacketInfo& packet, std::string_view message, PowerState& state,
                      PacketOutput& out);
// Adds rows of a table of totals, at the end of the file.
void finish_cpu_per_uid(uint32_t machine, const PowerState& state, PacketOutput& out);

}  // namespace tracebraid::proto
