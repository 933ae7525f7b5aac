// Packets of log lines (spec proto 6.5).
#pragma once

#include <string_view>

#include "format/proto/packet_output.h"
#include "format/proto/recording/latest_stats.h"

namespace tracebraid::proto {

void read_android_log(const PacketInfo& packet, std::string_view message, LatestStats& stats,
                      PacketOutput& out);
void read_journald(const PacketInfo& packet, std::string_view message, LatestStats& stats,
                   PacketOutput& out);

}  // namespace tracebraid::proto
