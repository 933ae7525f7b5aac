#include "format/proto/system/system_packets.h"

#include "format/proto/generated/fields.h"
#include "format/proto/profile/art_metadata.h"
#include "format/proto/profile/memory_tracker.h"
#include "format/proto/recording/trace_packets.h"
#include "format/proto/system/logs.h"
#include "format/proto/system/network.h"

namespace tracebraid::proto {
namespace {

using Field = field::TracePacket;

bool read_power_packet(const PacketInfo& packet, uint32_t field, std::string_view message,
                       PowerState& state, PacketOutput& out) {
  switch (field) {
    case Field::kBattery:
      read_battery(packet, message, out);
      return true;
    case Field::kPowerRails:
      read_power_rails(packet, message, state, out);
      return true;
    case Field::kAndroidEnergyEstimationBreakdown:
      read_energy_breakdown(packet, message, state, out);
      return true;
    case Field::kEntityStateResidency:
      read_entity_residency(packet, message, state, out);
      return true;
    case Field::kKernelWakelockData:
      read_kernel_wakelocks(packet, message, state, out);
      return true;
    case Field::kAppWakelockBundle:
      read_app_wakelocks(packet, message, out);
      return true;
    default:
      return false;
  }
}

bool read_android_packet(const PacketInfo& packet, uint32_t field, std::string_view message,
                         PackageState& packages, PacketOutput& out) {
  switch (field) {
    case Field::kPackagesList:
      read_packages(packet, message, packages, out);
      return true;
    case Field::kAndroidGameInterventionList:
      read_game_interventions(packet, message, out);
      return true;
    case Field::kArtProcessMetadata:
      read_art_metadata(packet, message, packages, out);
      return true;
    case Field::kUserList:
      read_users(packet, message, out);
      return true;
    case Field::kAndroidAflags:
      read_feature_flags(packet, message, out);
      return true;
    case Field::kInitialDisplayState:
      read_display_state(packet, message, out);
      return true;
    case Field::kAndroidSystemProperty:
      read_system_properties(packet, message, out);
      return true;
    case Field::kBluetoothTraceEvent:
      read_bluetooth(packet, message, out);
      return true;
    default:
      return false;
  }
}

bool read_graphics_packet(const PacketInfo& packet, uint32_t field, std::string_view message,
                          SystemPackets& state, PacketOutput& out) {
  switch (field) {
    case Field::kGpuCounterEvent:
      read_gpu_counters(packet, message, state.gpu_counters, out);
      return true;
    case Field::kGpuRenderStageEvent:
      read_render_stage(packet, message, state.gpu_stages, out);
      return true;
    case Field::kVulkanApiEvent:
      read_vulkan_api(packet, message, state.gpu_stages, out);
      return true;
    case Field::kVulkanMemoryEvent:
      read_vulkan_memory(packet, message, state.vulkan_memory, out);
      return true;
    case Field::kGpuLog:
      read_gpu_log(packet, message, out);
      return true;
    case Field::kGpuMemTotalEvent:
      read_gpu_memory(packet, message, out);
      return true;
    case Field::kGpuInfo:
      read_gpu_info(packet, message, out);
      return true;
    case Field::kFrameTimelineEvent:
      read_frame_timeline(packet, message, state.frame_timeline, out);
      return true;
    case Field::kGraphicsFrameEvent:
      read_graphics_frame(packet, message, state.graphics_frames, out);
      return true;
    default:
      return false;
  }
}

}  // namespace

bool read_system_packet(const PacketInfo& packet, uint32_t field, std::string_view message,
                        SystemPackets& state, PacketOutput& out) {
  if (read_power_packet(packet, field, message, state.power, out)) return true;
  if (read_android_packet(packet, field, message, state.packages, out)) return true;
  if (read_graphics_packet(packet, field, message, state, out)) return true;
  if (read_window_packet(packet, field, message, state.windows, out)) return true;
  switch (field) {
    case Field::kCpuPerUidData:
      read_cpu_per_uid(packet, message, state.cpu_per_uid, out);
      return true;
    case Field::kAndroidLog:
      read_android_log(packet, message, state.stats, out);
      return true;
    case Field::kJournaldEvent:
      read_journald(packet, message, state.stats, out);
      return true;
    case Field::kMemoryTrackerSnapshot:
      read_memory_tracker(packet, message, out);
      return true;
    case Field::kInterruptInfo:
      read_interrupt_names(packet, message, out);
      return true;
    case Field::kStatsdAtom:
      read_statsd_atoms(packet, message, state.statsd, out);
      return true;
    case Field::kEtwEvents:
      read_etw_events(packet, message, state.etw, out);
      return true;
    case Field::kTrigger:
      read_trigger(packet, message, TriggerKind::Trace, state.triggers, out);
      return true;
    case Field::kCloneSnapshotTrigger:
      read_trigger(packet, message, TriggerKind::Clone, state.triggers, out);
      return true;
    case Field::kChromeEvents:
      read_chrome_events(packet, message, out);
      return true;
    case Field::kConcurrentSessionEvent:
      read_concurrent_session(packet, message, out);
      return true;
    case Field::kNetworkPacket:
      read_network_packet(packet, message, state.network, out);
      return true;
    case Field::kNetworkPacketBundle:
      read_network_bundle(packet, message, state.network, out);
      return true;
    default:
      return false;
  }
}

void finish_system_packets(uint32_t machine, SystemPackets& state, PacketOutput& out) {
  finish_cpu_per_uid(machine, state.cpu_per_uid, out);
  finish_frame_timeline(state.frame_timeline, out.sink);
  finish_network(state.network, state.packages, out);
  finish_graphics_frames(machine, state.graphics_frames, out);
  finish_vulkan_names(state.gpu_stages, out.sink);
  finish_statsd(state.statsd, out);
  finish_window_traces(machine, state.windows, out);
  finish_etw_events(machine, state.etw, out);
  count_overwritten(state.streamed_buffers, state.stats);
  state.stats.finish(machine, out.sink);
  finish_triggers(machine, state.triggers, out.sink);
  std::vector<Metadata>& metadata = out.sink.batch().metadata;
  metadata.insert(metadata.end(), state.late_metadata.begin(), state.late_metadata.end());
}

}  // namespace tracebraid::proto
