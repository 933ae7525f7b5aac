// The state of Java processes (spec proto-2 8): packets art_process_metadata.
//
// Input: the packets. Output: names of processes, packages, records of event/stacks.h. Called by
// SystemPackets.
#pragma once

#include <string_view>

#include "format/proto/packet_output.h"
#include "format/proto/system/android.h"

namespace tracebraid::proto {

void read_art_metadata(const PacketInfo& packet, std::string_view message, PackageState& packages,
                       PacketOutput& out);

}  // namespace tracebraid::proto
