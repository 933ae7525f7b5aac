// SystemPackets: dispatches packets other than TrackEvents, ftrace and processes to their readers,
// and holds the state of these readers for a machine.
//
// Input: packets about the system. Output: counters, slices, logs, rows of plain tables. Called by
// Reader.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "format/proto/etw/etw.h"
#include "format/proto/gpu/frames.h"
#include "format/proto/gpu/gpu.h"
#include "format/proto/packet_output.h"
#include "format/proto/recording/latest_stats.h"
#include "format/proto/recording/trace_packets.h"
#include "format/proto/system/android.h"
#include "format/proto/system/cpu_per_uid.h"
#include "format/proto/system/network.h"
#include "format/proto/system/power.h"
#include "format/proto/system/statsd.h"
#include "format/proto/window/window_packets.h"

namespace tracebraid::proto {

// The state of one machine.
struct SystemPackets {
  PowerState power;
  CpuPerUidState cpu_per_uid;
  PackageState packages;
  NetworkState network;
  GpuCounterState gpu_counters;
  GpuStageState gpu_stages;
  VulkanMemoryState vulkan_memory;
  FrameTimelineState frame_timeline;
  GraphicsFrameState graphics_frames;
  StatsdState statsd;
  WindowTraces windows;
  EtwState etw;
  LatestStats stats;
  uint32_t streamed_buffers = 0;  // of the last config; 0 unless the trace is streamed into a file
  Triggers triggers;
  std::vector<Metadata> late_metadata;  // rows after those of packets about the trace
};

// Returns false for another packet field.
bool read_system_packet(const PacketInfo& packet, uint32_t field, std::string_view message,
                        SystemPackets& state, PacketOutput& out);

// Call at the end of the file.
void finish_system_packets(uint32_t machine, SystemPackets& state, PacketOutput& out);

}  // namespace tracebraid::proto
