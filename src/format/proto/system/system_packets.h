// SystemPackets: dispatches packets other than TrackEvents, ftrace and processes to their readers,
// and holds the state of these readers for a machine.
//
// Input: packets about the system. Output: counters, slices, logs, rows of plain tables. Called by
// Reader.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "format/proto/gpu/frames.h"
#include "format/proto/gpu/gpu.h"
#include "format/proto/packet_output.h"
#include "format/proto/recording/latest_stats.h"
#include "format/proto/recording/trace_packets.h"
#include "format/proto/system/android.h"
#include "format/proto/system/network.h"
#include "format/proto/system/power.h"
#include "format/proto/system/statsd.h"

namespace tracebraid::proto {

// The state of one machine.
struct SystemPackets {
  PowerState power;
  PackageState packages;
  NetworkState network;
  GpuCounterState gpu_counters;
  GpuStageState gpu_stages;
  VulkanMemoryState vulkan_memory;
  FrameTimelineState frame_timeline;
  GraphicsFrameState graphics_frames;
  StatsdState statsd;
  LatestStats stats;
  uint32_t buffers_of_long_trace = 0;   // of the last config; 0 unless it streams into a file
  std::optional<NamedTrigger> trigger;  // the one that metadata names
  std::vector<Metadata> late_metadata;  // rows after those of packets about the trace
};

// Returns false for another packet field.
bool read_system_packet(const PacketInfo& packet, uint32_t field, std::string_view message,
                        SystemPackets& state, PacketOutput& out);

// Call at the end of the file.
void finish_system_packets(uint32_t machine, SystemPackets& state, PacketOutput& out);

}  // namespace tracebraid::proto
