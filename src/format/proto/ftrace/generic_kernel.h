// Packets of kernels other than Linux (spec proto 6.1).
#pragma once

#include <string_view>

#include "event/system_tracks.h"
#include "format/proto/packet_info.h"

namespace tracebraid::proto {

// Returns false for another packet field.
bool read_generic_kernel_packet(const PacketInfo& packet, uint32_t field, std::string_view message,
                                SystemTracks& tracks, EventSink& sink);

}  // namespace tracebraid::proto
