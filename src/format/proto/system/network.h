// Network packets (spec proto 6.9).
#pragma once

#include <string_view>
#include <vector>

#include "event/make_event.h"
#include "format/proto/packet_output.h"
#include "format/proto/system/android.h"

namespace tracebraid::proto {

// Slices without a name so far: the list of packages may come later in the file.
struct NetworkState {
  struct Slice {
    EventTime time;
    uint32_t track, args;
    int64_t uid, duration_ns;
  };
  std::vector<Slice> slices;
};

void read_network_packet(const PacketInfo& packet, std::string_view message, NetworkState& state,
                         PacketOutput& out);
void read_network_bundle(const PacketInfo& packet, std::string_view message, NetworkState& state,
                         PacketOutput& out);
// Names slices after the package of their user, if it was listed by their time.
void finish_network(const NetworkState& state, const PackageState& packages, PacketOutput& out);

}  // namespace tracebraid::proto
