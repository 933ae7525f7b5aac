// Descriptors: packets that describe tracks, processes and threads (spec proto 2.3, 4.5).
#pragma once

#include <string_view>

#include "event/sink.h"
#include "format/proto/packet_info.h"
#include "format/proto/track_event/tracks.h"

namespace tracebraid::proto {

// Handles a TrackDescriptor packet: declares the track, and creates and names its process or
// thread.
void read_track_descriptor(const PacketInfo& packet, std::string_view message, Tracks& tracks,
                           Clocks& clocks, EventSink& sink);

// The same in two steps, for a packet without a pid namespace (PacketInfo). The first, in the order
// of the file, declares data that other packets use; it returns false if there is nothing else. The
// second emits events, with a sequence and tracks in the same state.
bool declare_track(const PacketInfo& packet, std::string_view message, Tracks& tracks,
                   EventSink& sink);
void read_declared_track(const PacketInfo& packet, std::string_view message, Tracks& tracks,
                         Clocks& clocks, EventSink& sink);

// Handle old packets that describe a process or thread by themselves.
void read_process_packet(const PacketInfo& packet, std::string_view message, Clocks& clocks,
                         EventSink& sink);
void read_thread_packet(const PacketInfo& packet, std::string_view message, EventSink& sink);

}  // namespace tracebraid::proto
