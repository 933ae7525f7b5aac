#include "format/proto/track_event/process_descriptor.h"

#include <fmt/format.h>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "format/common/proto_wire.h"
#include "format/proto/clocks.h"
#include "format/proto/generated/fields.h"
#include "format/proto/names.h"
#include "format/proto/recording/own.h"
#include "format/proto/track_event/chrome_names.h"

namespace tracebraid::proto {
namespace {

void add_text_arg(std::string_view flat_key, std::string_view key, std::string_view text,
                  EventSink& sink) {
  sink.arg(sink.arg_key({sink.string(flat_key), sink.string(key)}), ArgType::String,
           sink.string(text).row);
}

uint32_t process_args(const ProcessFields& process, EventSink& sink) {
  sink.open_args();
  for (size_t i = 0; i < process.labels.size(); ++i)
    add_text_arg("chrome.process_label", fmt::format("chrome.process_label[{}]", i),
                 process.labels[i], sink);
  const std::string_view type = chrome_process_name(process.chrome_type);
  if (!type.empty() || process.is_chrome)
    add_text("chrome.process_type", type.empty() ? StringId{} : sink.string(type), sink);
  if (!process.host_app.empty())
    add_text_arg("chrome.host_app_package_name", "chrome.host_app_package_name", process.host_app,
                 sink);
  if (process.crash_trace_id) {
    const StringId key = sink.string("chrome.crash_trace_id");
    sink.arg(sink.arg_key({key, key}), ArgType::Uint,
             static_cast<int64_t>(*process.crash_trace_id));
  }
  return sink.close_args();
}

void emit_process_name(const PacketInfo& packet, uint32_t index, StringId name, int64_t priority,
                       EventSink& sink) {
  sink.event(make_process_name(packet.time, index, name, priority));
}

// Emits the start of a process as our exporter writes it, before anything else names the process.
void begin_own_process(const PacketInfo& packet, const ProcessFields& process, EventSink& sink) {
  std::optional<int64_t> start;
  bool is_new_life = false;
  for (Message fields(process.own); fields.next();) {
    if (fields.number() == own::Owner::kStart) start = fields.i64();
    if (fields.number() == own::Owner::kIsNewLife) is_new_life = fields.flag();
  }
  if (!start) return;
  const uint32_t index = sink.process({.machine = packet.machine, .pid = *process.pid});
  sink.event(make_process_start(EventTime{*start, packet.time.clock}, index, is_new_life));
}

void emit_own_process(const PacketInfo& packet, const ProcessFields& process, uint32_t index,
                      EventSink& sink) {
  using Field = own::Owner;
  ProcessName parent{.machine = packet.machine};
  const EventTime& time = packet.time;
  for (Message fields(process.own); fields.next();) {
    if (fields.number() == Field::kName)
      sink.event(
          make_process_name(time, index, sink.string(fields.bytes()), process_priority::kOwn));
    if (fields.number() == Field::kCmdline)
      sink.event(make_process_cmdline(time, index, sink.string(fields.bytes())));
    if (fields.number() == Field::kUid) sink.event(make_process_uid(time, index, fields.i64()));
    if (fields.number() == Field::kParentPid) parent.pid = fields.i64();
    if (fields.number() == Field::kParentUuid) parent.life = fields.u64();
  }
  if (parent.life != 0) sink.event(make_process_parent(time, index, sink.process(parent)));
  if (const uint32_t args = own::arg_set(process.own, own::Owner::kArg, sink); args != kNone)
    sink.event(make_process_args(time, index, args));
}

}  // namespace

void read_process(std::string_view message, ProcessFields& process, EventSink& sink) {
  using Field = field::ProcessDescriptor;
  std::optional<int64_t> wide_pid;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kPid:
        process.pid = fields.i32();
        break;
      case Field::kChromeProcessType:
        process.chrome_type = fields.u32();
        break;
      case Field::kProcessName:
        process.name = sink.string(fields.bytes());
        break;
      case Field::kStartTimestampNs:
        process.start_ns = fields.i64();
        break;
      case Field::kProcessLabels:
        process.labels.push_back(fields.bytes());
        break;
      case own::kField:
        process.own = fields.bytes();
        for (Message own(process.own); own.next();)
          if (own.number() == own::Owner::kPid) wide_pid = own.i64();
        break;
      default:
        break;
    }
  }
  if (wide_pid) process.pid = wide_pid;
}

void read_chrome_process(std::string_view message, ProcessFields& process) {
  using Field = field::ChromeProcessDescriptor;
  process.is_chrome = true;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kProcessType) process.chrome_type = fields.u32();
    if (fields.number() == Field::kHostAppPackageName) process.host_app = fields.bytes();
    if (fields.number() == Field::kCrashTraceId) process.crash_trace_id = fields.u64();
  }
}

void emit_process(const PacketInfo& packet, const ProcessFields& process, uint64_t life,
                  Clocks& clocks, EventSink& sink) {
  if (!process.own.empty()) begin_own_process(packet, process, sink);
  const uint32_t index =
      sink.process({.machine = packet.machine, .pid = *process.pid, .life = life});
  sink.event(make_process_seen(packet.time, index, SeenProcess::Described));
  if (!process.own.empty()) emit_own_process(packet, process, index, sink);
  if (process.name)
    emit_process_name(packet, index, process.name, process_priority::kDescriptor, sink);
  const std::string_view shown = chrome_process_name(process.chrome_type);
  if (!shown.empty())
    emit_process_name(packet, index, sink.string(shown),
                      process.chrome_type == kChromeRenderer && !process.labels.empty()
                          ? process_priority::kChromeRenderer
                          : process_priority::kChromeLabel,
                      sink);
  if (const uint32_t args = process_args(process, sink); args != kNone) {
    sink.event(make_process_args(packet.time, index, args));
  }
  // Converted by no snapshot (spec proto 4.5).
  if (process.start_ns && *process.start_ns > 0)
    sink.event(make_process_start(clocks.raw(packet.machine, *process.start_ns), index));
}

void read_process_packet(const PacketInfo& packet, std::string_view message, Clocks& clocks,
                         EventSink& sink) {
  ProcessFields process;
  read_process(message, process, sink);
  if (process.pid) emit_process(packet, process, 0, clocks, sink);
}

}  // namespace tracebraid::proto
