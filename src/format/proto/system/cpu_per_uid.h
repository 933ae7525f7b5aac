// CPU time of Android's users (spec proto-2 8).
//
// Input: CpuPerUidData messages. Output: counters, and rows of android_cpu_per_uid_track. Called by
// system_packets.cc.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "format/proto/packet_output.h"

namespace tracebraid::proto {

struct CpuPerUidState {
  using UserOfCluster = std::pair<uint32_t, uint32_t>;  // uid or first uid of its group, cluster
  // A counter that is offered a value after each packet. Unchanged values are left out, except the
  // last one before a change.
  struct User {
    uint32_t track = kNone;
    uint64_t grown_ms = 0;    // since its first value
    uint64_t offered_ms = 0;  // after this packet
    uint64_t written_ms = 0;
    uint64_t written = 0;  // number of the packet after which a value was written last
    uint64_t touched = 0;  // number of the packet that has a value for it
  };
  // Values that one writer accumulates, until it clears its state.
  struct Writer {
    uint64_t generation = 0;
    uint32_t clusters = 0;
    absl::flat_hash_map<UserOfCluster, uint64_t> total_ms;
  };
  absl::flat_hash_map<uint32_t, Writer> writers;         // by sequence
  absl::flat_hash_map<UserOfCluster, uint64_t> last_ms;  // of any writer, by uid
  std::map<UserOfCluster, User> users;                   // by uid or group
  std::map<UserOfCluster, User> totals;                  // of the system (0) and of apps (1)
  uint64_t packets = 0;
  EventTime last_time;  // of the packet before
};

void read_cpu_per_uid(const PacketInfo& packet, std::string_view message, CpuPerUidState& state,
                      PacketOutput& out);
// Adds rows of a table of totals, at the end of the file.
void finish_cpu_per_uid(uint32_t machine, const CpuPerUidState& state, PacketOutput& out);

}  // namespace tracebraid::proto
