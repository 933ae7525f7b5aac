// Snapshots of the layers of SurfaceFlinger (spec proto-2 11).
//
// Input: LayersSnapshotProto messages. Output: rows of surfaceflinger_layers_snapshot,
// surfaceflinger_display and surfaceflinger_layer with rectangles. Called by window_packets.cc.
#pragma once

#include <string_view>

#include "format/proto/packet_info.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

void read_layers(const PacketInfo& packet, std::string_view message, PacketOutput& out);

}  // namespace tracebraid::proto
