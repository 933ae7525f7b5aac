// SysStats: data of /proc and /sys (spec proto 6.2).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "event/make_event.h"
#include "event/system_tracks.h"
#include "format/proto/packet_info.h"

namespace tracebraid::proto {

// State of one machine.
struct SysStatsState {
  uint64_t page_size = 4096;  // bytes; SystemInfo may change it
  // The last numbers of each disk, by field.
  absl::flat_hash_map<std::string, std::array<uint64_t, 10>> disks;
};

void read_sys_stats(const PacketInfo& packet, std::string_view message, SysStatsState& state,
                    SystemTracks& tracks, EventSink& sink);

// Emits a frequency, kHz, of a GPU of the machine of the clock of `time`.
void emit_gpu_frequency(const EventTime& time, uint32_t gpu, int64_t khz, EventSink& sink);

// Reads a SystemInfo.
void note_page_size(std::string_view message, SysStatsState& state);

}  // namespace tracebraid::proto
