// Memory dumps of Chrome: the memory of allocators, and which of it belongs to others. Fills the
// same tables as JSON (spec json 4.15).
#pragma once

#include <string_view>

#include "format/proto/packet_output.h"

namespace tracebraid::proto {

void read_memory_tracker(const PacketInfo& packet, std::string_view message, PacketOutput& out);

}  // namespace tracebraid::proto
