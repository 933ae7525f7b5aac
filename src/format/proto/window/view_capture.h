// ViewCapture: snapshots of the views of a window (spec proto-2 11).
//
// Input: ViewCapture messages. Output: rows of viewcapture and viewcapture_view with rectangles.
// Called by window_packets.cc.
#pragma once

#include <string_view>

#include "format/proto/packet_info.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

void read_view_capture(const PacketInfo& packet, std::string_view message, PacketOutput& out);

}  // namespace tracebraid::proto
