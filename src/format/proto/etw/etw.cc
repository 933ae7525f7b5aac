#include "format/proto/etw/etw.h"

#include <fmt/format.h>

#include <array>

#include "event/emit.h"
#include "event/stats.h"
#include "format/proto/etw/etw_args.h"
#include "format/proto/etw/stats.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::proto {
namespace {

using Field = field::EtwTraceEvent;

constexpr uint32_t kMaxCpus = 1024;
constexpr int64_t kAnonymousTid = ~uint32_t{0};

// An event without its payload.
struct EtwEvent {
  EventTime time;
  uint32_t machine = 0;
  uint32_t cpu = 0;
  int64_t tid = 0;

  uint32_t thread(int64_t number, EventSink& sink) const {
    return sink.thread({.machine = machine, .tid = number});
  }
};

// The fields of a CSwitchEtwEvent.
struct Switch {
  int64_t next = kAnonymousTid, prev = kAnonymousTid;
  int64_t state = 0, reason = 0;
  int32_t prio = 0;
};

Switch read_switch(Message fields) {
  using SwitchField = field::CSwitchEtwEvent;
  Switch change;
  std::optional<int64_t> state;  // takes precedence over the number
  while (fields.next()) {
    switch (fields.number()) {
      case SwitchField::kNewThreadId:
        change.next = fields.u32();
        break;
      case SwitchField::kOldThreadId:
        change.prev = fields.u32();
        break;
      case SwitchField::kNewThreadPriority:
        change.prio = static_cast<int32_t>(fields.zigzag());
        break;
      case SwitchField::kOldThreadState:
        state = fields.i32();
        break;
      case SwitchField::kOldThreadStateInt:
        change.state = fields.zigzag();
        break;
      case SwitchField::kOldThreadWaitReasonInt:
        change.reason = fields.i32();
        break;
      default:
        break;
    }
  }
  constexpr int64_t kStateMask = 0xff;
  change.state = state.value_or(change.state) & kStateMask;
  return change;
}

void emit_switch_of(const EtwEvent& event, const Switch& change, EventSink& sink) {
  for (const int64_t tid : {change.next, change.prev})
    if (tid == kAnonymousTid)
      sink.event(make_thread_name(event.time, event.thread(tid, sink),
                                  sink.string("Anonymized Process"), 1));
  const auto state = etw_name(EtwName::ThreadState, static_cast<uint64_t>(change.state));
  if (!state) sink.tally(stats::task_state_invalid, 1, event.machine);
  emit_switch(sink, event.time, event.cpu, event.tid,
              {.prev_tid = change.prev,
               .next_tid = change.next,
               .prev_state_text = state ? sink.string(*state) : StringId{},
               .next_prio = change.prio,
               .has_no_state = !state});
  constexpr int64_t kWaiting = 5;
  if (change.state != kWaiting) return;
  constexpr int64_t kPageIn = 2, kFirstForIo = 7, kLastForIo = 36;
  const bool waits_for_io =
      change.reason == kPageIn || (change.reason >= kFirstForIo && change.reason <= kLastForIo);
  const auto reason = etw_name(EtwName::WaitReason, static_cast<uint64_t>(change.reason));
  emit_blocked(sink, event.time, event.cpu, change.prev,
               {.function = reason ? sink.string(*reason) : StringId{},
                .io_wait = static_cast<int8_t>(waits_for_io ? 1 : 0)});
}

void read_ready(const EtwEvent& event, Message fields, EventSink& sink) {
  int64_t woken = 0;
  while (fields.next())
    if (fields.number() == field::ReadyThreadEtwEvent::kTThreadId) woken = fields.u32();
  emit_waking(sink, event.time, event.cpu, woken, {}, {.waker_tid = event.tid});
}

void emit_pages(const EtwEvent& event, std::string_view type, uint64_t pages, PacketOutput& out) {
  const std::string name = fmt::format("{} Page Count", type);
  const uint32_t track = out.tracks.global_counter(
      event.machine, {.type = "etw_meminfo", .name = name, .unit = "pages"},
      {{"counter_type", type}});
  emit_counter(event.time, track, static_cast<double>(pages), out.sink);
}

// Emits the counts of pages by priority.
void emit_priorities(const EtwEvent& event, const Message& memory, uint32_t field,
                     std::string_view type, PacketOutput& out) {
  constexpr size_t kMostPriorities = 256;  // Windows has 8
  size_t priority = 0;
  for (Message fields = memory; fields.next();)
    if (fields.number() == field)
      for_each_varint(fields, [&](uint64_t pages) {
        if (priority < kMostPriorities)
          emit_pages(event, fmt::format("{} Pri-{}", type, priority++), pages, out);
        else
          out.sink.tally(stats::etw_event_dropped, 1, event.machine);
      });
}

void read_memory(const EtwEvent& event, const Message& memory, PacketOutput& out) {
  using Memory = field::MemInfoEtwEvent;
  struct Kind {
    uint32_t field;
    std::string_view name;
  };
  constexpr Kind kKinds[] = {{Memory::kZeroPageCount, "Zero"},
                             {Memory::kFreePageCount, "Free"},
                             {Memory::kModifiedPageCount, "Modified"},
                             {Memory::kModifiedNoWritePageCount, "ModifiedNoWrite"},
                             {Memory::kBadPageCount, "Bad"},
                             {Memory::kModifiedPageCountPageFile, "ModifiedPageFile"},
                             {Memory::kPagedPoolPageCount, "PagedPool"},
                             {Memory::kNonPagedPoolPageCount, "NonPagedPool"},
                             {Memory::kMdlPageCount, "Mdl"},
                             {Memory::kCommitPageCount, "Commit"}};
  for (const Kind& kind : kKinds) {
    uint64_t pages = 0;
    for (Message fields = memory; fields.next();)
      if (fields.number() == kind.field) pages = fields.u64();
    emit_pages(event, kind.name, pages, out);
  }
  emit_priorities(event, memory, Memory::kStandbyPageCounts, "Standby", out);
  emit_priorities(event, memory, Memory::kRepurposedPageCounts, "Repurposed", out);
}

void read_disk(const EtwEvent& event, const Message& disk, PacketOutput& out) {
  using Disk = field::DiskIoEtwEvent;
  std::optional<uint64_t> opcode;
  int64_t duration = 0;
  for (Message fields = disk; fields.next();) {
    if (fields.number() == Disk::kOpcode) opcode = fields.u32();
    if (fields.number() == Disk::kResponseTime) duration = fields.i64();
  }
  if (!opcode) return;
  const auto name = etw_name(EtwName::DiskOpcode, *opcode);
  if (!name) return out.sink.tally(stats::missing_disk_io_event_name, 1, event.machine);
  out.sink.open_args();
  add_etw_args(Field::kDiskIo, disk, out.sink);
  const uint32_t args = out.sink.close_args();
  const uint32_t track = out.tracks.track({.scope = TrackScope::Thread,
                                           .lanes = Lanes::ByCookie,
                                           .machine = event.machine,
                                           .owner = event.thread(event.tid, out.sink),
                                           .type = out.sink.string("etw_diskio")});
  out.sink.event(make_slice(
      event.time, track, duration,
      {.name = out.sink.string(*name), .category = out.sink.string("ETW Disk I/O"), .args = args}));
}

void keep_operation(const EtwEvent& event, uint32_t field, const Message& fields, EtwState& state,
                    EventSink& sink) {
  EtwFileOperation operation{.time = event.time,
                             .thread = event.thread(event.tid, sink),
                             .name = etw_operation_name(field, fields, sink),
                             .request = etw_request(field, fields),
                             .is_end = field == Field::kFileIoOpEnd};
  sink.open_args();
  add_etw_args(field, fields, sink);
  operation.args = sink.close_args();
  state.operations.push_back(operation);
}

void read_event(const PacketInfo& packet, Message fields, std::optional<uint32_t> cpu,
                EtwState& state, PacketOutput& out) {
  EtwEvent event{.machine = packet.machine};
  std::optional<int64_t> time;
  uint32_t number = 0;
  Message payload("");
  while (fields.next()) {
    if (fields.number() == Field::kTimestamp) time = fields.i64();
    if (fields.number() == Field::kCpu) cpu = fields.u32();
    if (fields.number() == Field::kThreadId) event.tid = fields.u32();
    if (fields.wire() != Wire::Bytes) continue;
    number = fields.number();
    payload = fields.message();
  }
  if (!time || !cpu || *cpu >= kMaxCpus) return out.count(stats::etw_event_dropped, packet);
  event.time = out.clocks.raw(packet.machine, *time);
  event.cpu = *cpu;
  switch (number) {
    case Field::kCSwitch:
      return emit_switch_of(event, read_switch(payload), out.sink);
    case Field::kReadyThread:
      return read_ready(event, payload, out.sink);
    case Field::kMemInfo:
      return read_memory(event, payload, out);
    case Field::kDiskIo:
      return read_disk(event, payload, out);
    default:
      if (is_etw_file_operation(number)) keep_operation(event, number, payload, state, out.sink);
  }
}

}  // namespace

void read_etw_events(const PacketInfo& packet, std::string_view message, EtwState& state,
                     PacketOutput& out) {
  using Bundle = field::EtwTraceEventBundle;
  std::optional<uint32_t> cpu;
  for (Message fields(message); fields.next();)
    if (fields.number() == Bundle::kCpu) cpu = fields.u32();
  for (Message fields(message); fields.next();)
    if (fields.number() == Bundle::kEvent) read_event(packet, fields.message(), cpu, state, out);
}

}  // namespace tracebraid::proto
