// Descriptors: what packets say about tracks, processes and threads (spec proto
// 2.3, 4.5).
#pragma once

#include <string_view>

#include "event/sink.h"
#include "format/proto/packet_info.h"
#include "format/proto/tracks.h"

namespace tracebraid::proto {

// A TrackDescriptor packet: declares the track, and says that its process or
// thread exists and what it is called.
void read_track_descriptor(const PacketInfo& packet, std::string_view message, Tracks& tracks,
                           Clocks& clocks, EventSink& sink);

// The packets of old that stand for themselves.
void read_process_packet(const PacketInfo& packet, std::string_view message, Clocks& clocks,
                         EventSink& sink);
void read_thread_packet(const PacketInfo& packet, std::string_view message, EventSink& sink);

}  // namespace tracebraid::proto
