// Power: batteries, power rails, energy, wakelocks (spec proto 6.4).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "format/proto/packet_output.h"

namespace tracebraid::proto {

// State of earlier packets that later ones depend on.
struct PowerState {
  // Tracks of power rails by session and index.
  absl::flat_hash_map<std::pair<uint64_t, uint32_t>, uint32_t> rails;
  struct Consumer {
    std::string name;
    std::optional<std::string> type;
    int32_t ordinal = 0;
  };
  absl::flat_hash_map<int32_t, Consumer> consumers;  // by id
  // Tracks by entity and state.
  absl::flat_hash_map<std::pair<int32_t, int32_t>, uint32_t> entities;

  struct Wakelock {
    uint32_t track = kNone;
    uint64_t held_ms = 0;
  };
  // Values that one writer accumulates, until it clears its state.
  struct Writer {
    uint64_t generation = 0;
    absl::flat_hash_map<uint32_t, Wakelock> wakelocks;
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

}  // namespace tracebraid::proto
