// Android's packages, users, properties and display (spec proto 6.6).
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "event/make_event.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

struct PackageState {
  struct Package {
    std::string name;
    EventTime known_since;
  };
  absl::flat_hash_set<std::string> seen;
  absl::flat_hash_set<std::pair<std::string, int64_t>> rows;  // names and uids with a row
  absl::flat_hash_map<uint64_t, Package> by_app_id;           // the first one of each app id
};

void read_packages(const PacketInfo& packet, std::string_view message, PackageState& state,
                   PacketOutput& out);
// Adds the package of a process, unless it has a row.
void add_package_of_process(const PacketInfo& packet, std::string_view name, int64_t uid,
                            PackageState& state, PacketOutput& out);
void read_game_interventions(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_users(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_feature_flags(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_display_state(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_system_properties(const PacketInfo& packet, std::string_view message, PacketOutput& out);

}  // namespace tracebraid::proto
