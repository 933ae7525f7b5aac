// PacketOutput: the outputs of the readers of small packets.
#pragma once

#include <cstdint>
#include <string_view>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/sink.h"
#include "event/system_tracks.h"
#include "format/proto/args/args.h"
#include "format/proto/args/typed_args.h"
#include "format/proto/clocks.h"
#include "format/proto/packet_info.h"

namespace tracebraid::proto {

struct PacketOutput {
  Clocks& clocks;
  SystemTracks& tracks;
  DescriptorPool& descriptors;
  EventSink& sink;

  void count(StatId stat, const PacketInfo& packet) {
    sink.count(stat, packet.at, {}, packet.machine);
  }

  // The same with a time and `args`, an arg set, in the import log.
  void count(StatId stat, const PacketInfo& packet, uint32_t args) {
    const size_t before = sink.batch().log.size();
    count(stat, packet);
    if (sink.batch().log.size() == before) return;
    sink.batch().log.back().args = args;
    sink.batch().log.back().time = {packet.time.ticks, packet.time.clock};
  }

  // Emits a slice, instant or state with the name. `args` is an arg set.
  void event(const EventTime& time, EventKind kind, uint32_t track, std::string_view name,
             uint32_t args = kNone, int64_t dur_ns = 0) {
    sink.event(
        make_slice_event(time, kind, track, dur_ns, {.name = sink.string(name), .args = args}));
  }
  // Creates a track even if it gets no events; it comes before the tracks of events.
  void declare(const EventTime& time, uint32_t track) {
    sink.untimed(make_track_seen(time, track));
  }
  // Returns the text arg of an enum value.
  StringId enum_text(std::string_view type, int64_t value) {
    const std::string_view name = descriptors.enum_name(type, value);
    return sink.string(name.empty() ? std::to_string(value) : std::string(name));
  }
  // Return names on the packet's machine.
  uint32_t process(const PacketInfo& packet, int64_t pid) {
    return sink.process({.machine = packet.machine, .pid = pid});
  }
};

}  // namespace tracebraid::proto
