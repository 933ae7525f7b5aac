// Reader: the payloads of packets, each to its reader.
#include "format/proto/ftrace/generic_kernel.h"
#include "format/proto/generated/fields.h"
#include "format/proto/reader.h"
#include "format/proto/recording/metadata.h"
#include "format/proto/recording/trace_packets.h"
#include "format/proto/stats.h"
#include "format/proto/track_event/descriptors.h"
#include "format/proto/track_event/process_descriptor.h"
#include "format/proto/track_event/thread_descriptor.h"

namespace tracebraid::proto {

using Field = field::TracePacket;

Result<> Reader::read_payload(Machine& machine, PacketInfo& info,
                              const PacketFields::Payload& payload) {
  switch (payload.field) {
    case Field::kTrackEvent:
      has_described_ = true;
      track_events_.read(info, payload.bytes, machine.tracks);
      break;
    case Field::kTrackDescriptor:
      if (info.trusted_pid) machine.namespaces.note_asked(*info.trusted_pid);
      read_track_descriptor(info, payload.bytes, machine.tracks, clocks_, sink_);
      DeferredPackets::note_changed(*info.sequence);
      break;
    case Field::kProcessDescriptor:
      read_process_packet(info, payload.bytes, clocks_, sink_);
      break;
    case Field::kThreadDescriptor:
      if (info.trusted_pid) machine.namespaces.note_asked(*info.trusted_pid);
      read_thread_packet(info, payload.bytes, sink_);
      DeferredPackets::note_changed(*info.sequence);
      break;
    case Field::kFtraceEvents:
      return ftrace_.read_bundle(info, payload.bytes, machine.ftrace);
    case Field::kFtraceStats:
      return read_ftrace_stats(info, payload.bytes, machine.ftrace.at_start, machine.system.stats,
                               sink_);
    case Field::kProcessTree:
      read_process_tree(info, payload.bytes, machine.kernel_workers, machine.namespaces, clocks_,
                        sink_);
      break;
    case Field::kProcessStats:
      read_process_stats(info, payload.bytes, system_tracks_, sink_);
      break;
    case Field::kSysStats:
      read_sys_stats(info, payload.bytes, machine.sys_stats, system_tracks_, sink_);
      break;
    case Field::kSystemInfo:
      note_page_size(payload.bytes, machine.sys_stats);
      read_system_info(machine.index, payload.bytes, sink_);
      break;
    case Field::kCpuInfo:
      read_cpu_info(machine.index, payload.bytes, sink_);
      break;
    case Field::kTraceUuid:
      read_trace_uuid(payload.bytes, sink_);
      break;
    case Field::kTraceConfig:
      machine.system.streamed_buffers =
          read_trace_config(machine.index, payload.bytes, descriptors_, sink_);
      break;
    case Field::kTrackEventRangeOfInterest:
      read_range_of_interest(payload.bytes, sink_);
      break;
    case Field::kExtensionDescriptor:
      read_extensions(info, payload.bytes);
      break;
    case Field::kTranslationTable:
      if (known_ == nullptr) read_translation_table(payload.bytes);
      break;
    case Field::kTraceStats:
      read_writer_stats(payload.bytes, machine.sequences, machine.system.stats);
      read_trace_stats(payload.bytes, machine.system.stats);
      break;
    case Field::kTraceAttributes:  // read before
      break;
    case Field::kChromeMetadata:
      read_chrome_metadata(info, payload.bytes, chrome_metadata_, output_);
      break;
    case Field::kChromeTrigger:
      has_described_ = true;
      read_chrome_trigger(info, payload.bytes, translations_, machine.system.late_metadata,
                          output_);
      break;
    default:
      if (!read_generic_kernel_packet(info, payload.field, payload.bytes, system_tracks_, sink_) &&
          !read_system_packet(info, payload.field, payload.bytes, machine.system, output_) &&
          !read_profile_packet(info, payload.field, payload.bytes, profiles_, output_))
        skip(payload);
  }
  return {};
}

void Reader::read_extensions(const PacketInfo& info, std::string_view message) {
  deferred_.pause();
  const size_t before = descriptors_.added();
  if (!descriptors_.add_extensions(message))
    sink_.count(stats::extra_parsing_descriptors_error, info.at, {}, info.machine);
  if (descriptors_.added() == before) return;
  tables_.extensions.emplace_back(message);
  has_late_ |= has_described_ || deferred_.has_started();
}

void Reader::read_translation_table(std::string_view message) {
  if (!read_translations(message, translations_, sink_)) return;
  deferred_.add_translations(message);
  tables_.translations.emplace_back(message);
  has_late_ |= has_described_ || deferred_.has_started();
}

void Reader::skip(const PacketFields::Payload& payload) {
  if (payload.field == Field::kVideoFrame) sink_.batch().has_video_frames = true;
  Skipped& skipped = skipped_[payload.field];
  ++skipped.count;
  skipped.bytes += payload.bytes.size();
}

}  // namespace tracebraid::proto
