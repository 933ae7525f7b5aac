// Names found after the recording, and memory maps: module_symbols,
// deobfuscation_mapping, smaps_packet (spec proto 6.8).
#pragma once

#include <string_view>

#include "format/proto/packet_output.h"

namespace tracebraid::proto {

void read_module_symbols(const PacketInfo& packet, std::string_view message, EventSink& sink);
void read_deobfuscation(std::string_view message, EventSink& sink);
void read_smaps(const PacketInfo& packet, std::string_view message, PacketOutput& out);

}  // namespace tracebraid::proto
