// Snapshots of Android's window manager (spec proto-2 11).
//
// Input: WindowManagerTraceEntry messages. Output: rows of windowmanager and
// windowmanager_windowcontainer with rectangles. Called by window_packets.cc.
#pragma once

#include <string_view>

#include "format/proto/packet_info.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

void read_window_manager(const PacketInfo& packet, std::string_view message, PacketOutput& out);

}  // namespace tracebraid::proto
