#include "format/proto/track_event/thread_descriptor.h"

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/names.h"
#include "format/proto/recording/own.h"
#include "format/proto/sequence.h"
#include "format/proto/track_event/chrome_names.h"
#include "format/proto/track_event/stats.h"

namespace tracebraid::proto {
namespace {

// Returns trace time `ns` on the clock of the packet.
EventTime time_at(const PacketInfo& packet, int64_t ns) { return {ns, packet.time.clock}; }

// Emits the start and the end of a thread as our exporter writes them.
void emit_own_thread(const PacketInfo& packet, const ThreadFields& thread, EventSink& sink) {
  const uint32_t index =
      sink.thread({.machine = packet.machine, .tid = thread.global_tid(), .pid = *thread.pid});
  for (Message fields(thread.own); fields.next();) {
    if (fields.number() == own::Owner::kStart)
      sink.event(make_thread_start(time_at(packet, fields.i64()), index));
    if (fields.number() == own::Owner::kEnd || fields.number() == own::Owner::kNotedEnd)
      sink.event(make_thread_end(time_at(packet, fields.i64()), index,
                                 fields.number() == own::Owner::kNotedEnd));
  }
}

}  // namespace

void read_thread(std::string_view message, ThreadFields& thread, EventSink& sink) {
  using Field = field::ThreadDescriptor;
  std::optional<int64_t> wide_pid, wide_tid;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kPid:
        thread.pid = fields.i32();
        break;
      case Field::kTid:
        thread.tid = fields.i64();
        break;
      case Field::kThreadName:
        thread.name = sink.string(fields.bytes());
        break;
      case Field::kChromeThreadType:
        thread.chrome_type = fields.u32();
        break;
      case Field::kReferenceTimestampUs:
        thread.reference_us = fields.i64();
        break;
      case Field::kReferenceThreadTimeUs:
        thread.thread_time_us = fields.i64();
        break;
      case Field::kReferenceThreadInstructionCount:
        thread.instructions = fields.i64();
        break;
      case own::kField:
        thread.own = fields.bytes();
        for (Message own(thread.own); own.next();) {
          if (own.number() == own::Owner::kPid) wide_pid = own.i64();
          if (own.number() == own::Owner::kTid) wide_tid = own.i64();
        }
        break;
      default:
        break;
    }
  }
  if (wide_pid) thread.pid = wide_pid;
  if (wide_tid) thread.tid = wide_tid;
}

void read_chrome_thread(std::string_view message, ThreadFields& thread) {
  using Field = field::ChromeThreadDescriptor;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kThreadType) thread.chrome_type = fields.u32();
    if (fields.number() == Field::kIsSandboxedTid) thread.is_sandboxed = fields.flag();
  }
}

void emit_thread(const PacketInfo& packet, const ThreadFields& thread, uint64_t life,
                 EventSink& sink) {
  if (!thread.own.empty()) emit_own_thread(packet, thread, sink);
  const uint32_t index = sink.thread(
      {.machine = packet.machine, .tid = thread.global_tid(), .pid = *thread.pid, .life = life});
  sink.event(make_thread_seen(packet.time, index));
  const auto emit_name = [&](StringId name, int64_t priority) {
    sink.event(make_thread_name(packet.time, index, name, priority));
  };
  const std::string_view shown = chrome_thread_name(thread.chrome_type);
  if (const uint32_t args = own::arg_set(thread.own, own::Owner::kArg, sink); args != kNone)
    sink.event(make_thread_args(packet.time, index, args));
  if (!shown.empty()) emit_name(sink.string(shown), thread_priority::kDescriptorType);
  if (thread.name) emit_name(thread.name, thread_priority::kDescriptor);
}

void set_writer(const PacketInfo& packet, const ThreadFields& thread) {
  packet.sequence->thread = {.is_known = true,
                             .pid = packet.resolve(*thread.pid),
                             .tid = packet.resolve(thread.global_tid()),
                             .has_reference = true,
                             .reference_us = thread.reference_us,
                             .thread_time_us = thread.thread_time_us,
                             .instructions = thread.instructions};
}

void read_thread_packet(const PacketInfo& packet, std::string_view message, EventSink& sink) {
  const auto drop = [&](StatId stat) { sink.count(stat, packet.at, {}, packet.machine); };
  if (packet.sequence->id == 0) return drop(stats::thread_descriptor_missing_sequence_id);
  // The reference times of the thread would be those before the loss.
  if (!packet.sequence->is_valid)
    return drop(stats::thread_descriptor_skipped_incremental_state_invalid);
  ThreadFields thread;
  read_thread(message, thread, sink);
  if (!thread.pid || !thread.tid) return;
  emit_thread(packet, thread, 0, sink);
  set_writer(packet, thread);
}

}  // namespace tracebraid::proto
