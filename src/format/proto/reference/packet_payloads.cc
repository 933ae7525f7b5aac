#include "format/proto/reference/packet_walk.h"

#include <algorithm>

#include "format/proto/generated/fields.h"

namespace tracebraid::reference {
namespace {

using proto::Message;
using Field = proto::field::TracePacket;

}  // namespace

Result<> PacketWalk::read_payload(const Head& head, uint32_t field, std::string_view payload) {
  switch (field) {
    case Field::kTrackEvent: {
      if (head.sequence == 0) return {};
      const TrackEventHead event = read_track_event(payload);
      if (event.absolute_us) {
        int64_t ns = 0;
        if (__builtin_mul_overflow(*event.absolute_us, int64_t{1000}, &ns))
          ns = *event.absolute_us < 0 ? INT64_MIN : INT64_MAX;
        const Tracker::Outcome time =
            ns < 0 ? Tracker::Outcome{}
                   : head.context->tracker.to_trace_time({domain::kMonotonic, 0}, ns);
        place(head, domain::kMonotonic, event.kind, time.ns.value_or(ns));
      } else if (head.has_time || event.has_delta) {
        place(head, head.clock, event.kind, head.ts);
      }
      return {};
    }
    case Field::kFtraceEvents:
      return read_ftrace(head, payload);
    case Field::kAndroidLog:
      read_logs(head, payload);
      return {};
    case Field::kProfilePacket:
      read_heap_dumps(head, payload);
      return {};
    default:
      break;
  }
  if (field == Field::kSystemInfo) name_machine(head, payload);
  if (is_without_events(field)) return {};
  EventCounts counts{};
  count_events(field, payload, counts);
  place(head, head.clock, static_cast<EventKind>(std::ranges::find(counts, 1U) - counts.begin()),
        head.ts);
  return {};
}

// Applies spec clocks 7.4.
Result<> PacketWalk::read_ftrace(const Head& head, std::string_view payload) {
  read_bundle(payload, bundle_);
  if (!bundle_.has_cpu) return {};
  FileClock clock;
  switch (bundle_.clock) {
    case 0:
      clock = {domain::kBoottime, 0};
      break;
    case 2:
    case 3:
      clock = {domain::kFirstOfSequence, head.sequence};
      break;
    case 4:
      clock = {domain::kMonotonicRaw, 0};
      break;
    default:
      return fail(ErrorCode::BadInput, "Unable to parse ftrace packets with unknown clock");
  }
  Context& context = *head.context;
  if (bundle_.ftrace_timestamp && bundle_.boot_timestamp &&
      bundle_.ftrace_timestamp != context.last_ftrace_timestamp) {
    context.last_ftrace_timestamp = bundle_.ftrace_timestamp;
    context.tracker.snapshot(
        {{clock, *bundle_.ftrace_timestamp}, {{domain::kBoottime, 0}, *bundle_.boot_timestamp}});
  }
  for (const KernelEvent& event : bundle_.events) place_at(head, clock, event.kind, event.ticks);
  return {};
}

void PacketWalk::name_machine(const Head& head, std::string_view payload) {
  Message fields(payload);
  while (fields.next())
    if (fields.number() == proto::field::SystemInfo::kMachineName)
      shared_.machines.list[head.context->tracker.machine()].name = fields.bytes();
}

void PacketWalk::read_logs(const Head& head, std::string_view payload) {
  constexpr uint32_t kTimestamp = 5;
  Message fields(payload);
  while (fields.next()) {
    if (fields.number() != proto::field::AndroidLogPacket::kEvents) continue;
    int64_t ticks = 0;
    Message line = fields.message();
    while (line.next())
      if (line.number() == kTimestamp) ticks = line.i64();
    place_at(head, {domain::kRealtime, 0}, EventKind::Log, ticks);
  }
}

// The dumps of a process may be split over several packets; the last says that it is complete.
void PacketWalk::read_heap_dumps(const Head& head, std::string_view payload) {
  constexpr uint32_t kPid = 1, kTimestamp = 9, kHeapName = 11;
  auto& dumps = head.context->sequences[head.sequence].heap_dumps;
  bool is_continued = false;
  Message fields(payload);
  while (fields.next()) {
    if (fields.number() == proto::field::ProfilePacket::kContinued) is_continued = fields.flag();
    if (fields.number() != proto::field::ProfilePacket::kProcessDumps) continue;
    int32_t pid = 0;
    int64_t ticks = 0;
    std::string heap = "malloc";
    Message dump = fields.message();
    while (dump.next()) {
      if (dump.number() == kPid) pid = dump.i32();
      if (dump.number() == kTimestamp) ticks = dump.i64();
      if (dump.number() == kHeapName) heap = dump.bytes();
    }
    dumps[{pid, std::move(heap)}] = ticks;
  }
  if (is_continued) return;
  for (const auto& [name, ticks] : std::exchange(dumps, {}))
    place_at(head, {domain::kMonotonicCoarse, 0}, EventKind::HeapDump, ticks);
}

}  // namespace tracebraid::reference
