// Input events of Android (spec proto-2 11).
//
// Input: AndroidInputEvent messages. Output: rows of android_motion_events, android_key_events and
// android_input_event_dispatch. Called by window_packets.cc.
#pragma once

#include <string_view>

#include "format/proto/packet_info.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

void read_input_event(const PacketInfo& packet, std::string_view message, PacketOutput& out);

}  // namespace tracebraid::proto
