#include "format/proto/ftrace/generic_kernel.h"

#include <algorithm>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "event/stats.h"
#include "event/thread_state_args.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/names.h"
#include "format/proto/recording/own.h"
#include "format/proto/system/sys_stats.h"

namespace tracebraid::proto {
namespace {

constexpr uint32_t kMaxCpus = 4096;  // of a machine (spec clocks 4)

// Emits an event with the arg set, for assemble/kernel/.
void emit(const PacketInfo& packet, std::string_view name, uint32_t cpu, uint32_t args,
          EventSink& sink) {
  sink.event(make_kernel_event(packet.time, EventKind::FtraceMeaning,
                               {.cpu = cpu, .name = sink.string(name), .args = args}));
}

// Emits the rows that our exporter gives for a state.
void emit_own_state(const PacketInfo& packet, Message event, Message rows, EventSink& sink) {
  using Field = own::TaskState;
  int64_t tid = 0, dur = kNoThreadState;
  bool has_row = false;
  StringId state;
  while (event.next())
    if (event.number() == field::GenericKernelTaskStateEvent::kTid) tid = event.i64();
  sink.open_args();
  while (rows.next()) {
    has_row = true;
    if (rows.number() == Field::kDur) dur = std::max<int64_t>(rows.i64(), -1);
    if (rows.number() == Field::kState) state = sink.string(rows.bytes());
    if (rows.number() == Field::kCpu) add_int(thread_state_arg::kCpu, rows.u32(), sink);
    if (rows.number() == Field::kIoWait) add_int("io_wait", rows.u32(), sink);
    if (rows.number() == Field::kFunction) add_text("blocked_function", rows.bytes(), sink);
    if (rows.number() == Field::kSchedDur)
      add_int(thread_state_arg::kSchedDur, std::max<int64_t>(rows.i64(), -1), sink);
    if (rows.number() == Field::kPriority) add_int(thread_state_arg::kPriority, rows.i64(), sink);
    if (rows.number() == Field::kSchedCpu) add_int(thread_state_arg::kSchedCpu, rows.u32(), sink);
    if (rows.number() == Field::kEndState)
      add_text(thread_state_arg::kEndState, rows.bytes(), sink);
  }
  const uint32_t args = sink.close_args();
  if (!has_row) return;
  const uint32_t thread = sink.thread({.machine = packet.machine, .tid = tid});
  sink.event(make_thread_state(packet.time, thread, state, dur, args));
}

void read_task_state(const PacketInfo& packet, Message fields, EventSink& sink) {
  using Field = field::GenericKernelTaskStateEvent;
  uint32_t cpu = 0;
  for (Message all = fields; all.next();)
    if (all.number() == own::kField) return emit_own_state(packet, fields, all.message(), sink);
  sink.open_args();
  while (fields.next()) {
    if (fields.number() == Field::kCpu) cpu = fields.u32();
    if (fields.number() == Field::kComm) add_text("comm", fields.bytes(), sink);
    if (fields.number() == Field::kTid) add_int("tid", fields.i64(), sink);
    if (fields.number() == Field::kState) add_int("state", fields.i32(), sink);
    if (fields.number() == Field::kPrio) add_int("prio", fields.i32(), sink);
  }
  const uint32_t args = sink.close_args();
  if (cpu >= kMaxCpus) return sink.count(stats::task_state_invalid, packet.at, {}, packet.machine);
  emit(packet, "generic_kernel_task_state", cpu, args, sink);
}

void read_rename(const PacketInfo& packet, Message fields, EventSink& sink) {
  using Field = field::GenericKernelTaskRenameEvent;
  int64_t tid = 0;
  StringId comm;
  while (fields.next()) {
    if (fields.number() == Field::kTid) tid = fields.i64();
    if (fields.number() == Field::kComm) comm = sink.string(fields.bytes());
  }
  const uint32_t thread = sink.thread({.machine = packet.machine, .tid = tid});
  sink.event(make_thread_name(packet.time, thread, comm, thread_priority::kFtrace));
}

void read_process(const PacketInfo& packet, Message fields, EventSink& sink) {
  using Field = field::GenericKernelProcessTree_Process;
  int64_t pid = 0, ppid = 0;
  bool has_cmdline = false;
  std::string_view cmdline;
  while (fields.next()) {
    if (fields.number() == Field::kPid) pid = fields.i64();
    if (fields.number() == Field::kPpid) ppid = fields.i64();
    if (fields.number() != Field::kCmdline) continue;
    has_cmdline = true;
    cmdline = fields.bytes();
  }
  if (!has_cmdline) return;
  sink.open_args();
  add_int("pid", pid, sink);
  add_int("ppid", ppid, sink);
  add_text("cmdline", cmdline, sink);
  emit(packet, "generic_kernel_process", kNone, sink.close_args(), sink);
}

void read_thread(const PacketInfo& packet, Message fields, EventSink& sink) {
  using Field = field::GenericKernelProcessTree_Thread;
  sink.open_args();
  while (fields.next()) {
    if (fields.number() == Field::kTid) add_int("tid", fields.i64(), sink);
    if (fields.number() == Field::kPid) add_int("pid", fields.i64(), sink);
    if (fields.number() == Field::kComm) add_text("comm", fields.bytes(), sink);
    if (fields.number() == Field::kIsMainThread) add_int("is_main_thread", fields.flag(), sink);
    if (fields.number() == Field::kIsIdle) add_int("is_idle", fields.flag(), sink);
  }
  emit(packet, "generic_kernel_thread", kNone, sink.close_args(), sink);
}

void read_process_tree(const PacketInfo& packet, std::string_view message, EventSink& sink) {
  using Field = field::GenericKernelProcessTree;
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kProcesses) read_process(packet, fields.message(), sink);
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kThreads) read_thread(packet, fields.message(), sink);
}

void read_cpu_frequency(const PacketInfo& packet, Message fields, SystemTracks& tracks,
                        EventSink& sink) {
  using Field = field::GenericKernelCpuFrequencyEvent;
  uint32_t cpu = 0;
  int64_t hz = 0;
  while (fields.next()) {
    if (fields.number() == Field::kCpu) cpu = fields.u32();
    if (fields.number() == Field::kFreqHz) hz = fields.i64();
  }
  const uint32_t track =
      tracks.cpu_counter(packet.machine, cpu, {.type = "cpu_frequency", .name = "cpufreq"});
  emit_counter(packet.time, track, static_cast<double>(hz / 1000), sink);
}

void read_gpu_frequency(const PacketInfo& packet, Message fields, EventSink& sink) {
  using Field = field::GenericGpuFrequencyEvent;
  uint32_t gpu = 0, khz = 0;
  while (fields.next()) {
    if (fields.number() == Field::kGpuId) gpu = fields.u32();
    if (fields.number() == Field::kFrequencyKhz) khz = fields.u32();
  }
  emit_gpu_frequency(packet.time, gpu, khz, sink);
}

}  // namespace

bool read_generic_kernel_packet(const PacketInfo& packet, uint32_t field, std::string_view message,
                                SystemTracks& tracks, EventSink& sink) {
  using Field = field::TracePacket;
  switch (field) {
    case Field::kGenericKernelTaskStateEvent:
    case own::kTaskField:
      read_task_state(packet, Message(message), sink);
      return true;
    case Field::kGenericKernelTaskRenameEvent:
      read_rename(packet, Message(message), sink);
      return true;
    case Field::kGenericKernelProcessTree:
      read_process_tree(packet, message, sink);
      return true;
    case Field::kGenericKernelCpuFreqEvent:
      read_cpu_frequency(packet, Message(message), tracks, sink);
      return true;
    case Field::kGenericGpuFrequencyEvent:
      read_gpu_frequency(packet, Message(message), sink);
      return true;
    default:
      return false;
  }
}

}  // namespace tracebraid::proto
