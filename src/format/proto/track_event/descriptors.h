// Track descriptors (spec proto 2.3). Their processes, threads and counters are read by
// process_descriptor.h, thread_descriptor.h and counter_descriptor.h.
#pragma once

#include <optional>
#include <string_view>

#include "event/sink.h"
#include "format/proto/packet_info.h"
#include "format/proto/track_event/tracks.h"

namespace tracebraid::proto {

// Handles a TrackDescriptor packet: declares the track, and creates and names its process or
// thread.
void read_track_descriptor(const PacketInfo& packet, std::string_view message, Tracks& tracks,
                           Clocks& clocks, EventSink& sink);

// Handle a TrackDescriptor of a packet without a namespace (PacketInfo) in two steps. The first, in
// the order of the file, declares the track. It returns false for an invalid descriptor, and
// nothing for one that contradicts an earlier one: then use read_track_descriptor(). The second
// emits the events, with a sequence and tracks that follow those of the first.
std::optional<bool> declare_track(const PacketInfo& packet, std::string_view message,
                                  Tracks& tracks, EventSink& sink);
void read_declared_track(const PacketInfo& packet, std::string_view message, Tracks& tracks,
                         Clocks& clocks, EventSink& sink);

}  // namespace tracebraid::proto
