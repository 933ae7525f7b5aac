// Network packets (spec proto 6.9).
#pragma once

#include <string_view>

#include "format/proto/android.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

// Packets are called by the package of their user, if the list of packages has been read.
void read_network_packet(const PacketInfo& packet, std::string_view message,
                         const PackageState& packages, PacketOutput& out);
void read_network_bundle(const PacketInfo& packet, std::string_view message,
                         const PackageState& packages, PacketOutput& out);

}  // namespace tracebraid::proto
