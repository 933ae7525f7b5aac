#include "format/proto/reference/events.h"

#include <algorithm>

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::reference {
namespace {

using proto::Message;
using proto::Wire;
using Field = proto::field::TracePacket;

EventKind kind_of_phase(int32_t phase) {
  switch (phase) {
    case 'B':
    case 'X':
    case 'b':
    case 'S':
      return EventKind::Slice;
    case 'E':
    case 'e':
    case 'F':
      return EventKind::SliceEnd;
    case 'I':
    case 'i':
    case 'n':
      return EventKind::Instant;
    default:
      return EventKind::TrackEvent;
  }
}

EventKind kind_of_type(uint64_t type, int32_t phase) {
  constexpr std::array kKinds{EventKind::Slice, EventKind::SliceEnd, EventKind::Instant,
                              EventKind::Counter, EventKind::State};
  if (type == 0) return kind_of_phase(phase);
  return type <= kKinds.size() ? kKinds[type - 1] : EventKind::TrackEvent;
}

// The lists of a CompactSched message are parallel; the shortest ends them.
void read_compact(std::string_view message, std::vector<KernelEvent>& events) {
  constexpr uint32_t kSwitchTime = 1, kSwitchState = 2, kSwitchTid = 3, kSwitchPriority = 4,
                     kSwitchName = 6, kWakingTime = 7, kWakingTid = 8;
  const size_t first = events.size();
  std::array<size_t, 9> counts{};
  std::array<int64_t, 9> times{};
  Message fields(message);
  while (fields.next()) {
    const uint32_t number = fields.number();
    if (number >= counts.size() || number == 5) continue;
    const EventKind kind = number == kSwitchTime ? EventKind::Switch : EventKind::Waking;
    proto::for_each_varint(fields, [&](uint64_t value) {
      ++counts[number];
      if (number != kSwitchTime && number != kWakingTime) return;
      times[number] = static_cast<int64_t>(static_cast<uint64_t>(times[number]) + value);
      events.push_back({kind, times[number]});
    });
  }
  size_t switches = std::min({counts[kSwitchTime], counts[kSwitchState], counts[kSwitchTid],
                              counts[kSwitchPriority], counts[kSwitchName]});
  size_t wakings = std::min(counts[kWakingTime], counts[kWakingTid]);
  const auto is_cut = [&](const KernelEvent& event) {
    size_t& left = event.kind == EventKind::Switch ? switches : wakings;
    return left == 0 || left-- == 0;
  };
  const auto begin = events.begin() + static_cast<ptrdiff_t>(first);
  events.erase(std::remove_if(begin, events.end(), is_cut), events.end());
}

std::optional<KernelEvent> read_kernel_event(std::string_view message) {
  constexpr uint32_t kTimestamp = 1, kPid = 2, kSwitch = 4, kWaking = 20;
  KernelEvent event;
  bool has_time = false;
  uint32_t payload = 0;
  Message fields(message);
  while (fields.next()) {
    if (fields.number() == kTimestamp) {
      event.ticks = fields.i64();
      has_time = true;
    } else if (fields.number() != kPid && fields.wire() == Wire::Bytes && payload == 0) {
      payload = fields.number();
    }
  }
  if (!has_time || payload == 0) return std::nullopt;
  if (payload == kSwitch) event.kind = EventKind::Switch;
  if (payload == kWaking) event.kind = EventKind::Waking;
  return event;
}

}  // namespace

bool is_without_events(uint32_t field) {
  switch (field) {
    case Field::kTraceConfig:
    case Field::kFtraceStats:
    case Field::kTraceStats:
    case Field::kSystemInfo:
    case Field::kChromeMetadata:
    case Field::kModuleSymbols:
    case Field::kDeobfuscationMapping:
    case Field::kCpuInfo:
    case Field::kExtensionDescriptor:
    case Field::kTranslationTable:
    case Field::kTraceUuid:
    case Field::kUiState:
    case Field::kTraceProvenance:
    case Field::kProtovms:
    case Field::kTraceAttributes:
      return true;
    default:
      return false;
  }
}

TrackEventHead read_track_event(std::string_view message) {
  using Event = proto::field::TrackEvent;
  TrackEventHead head;
  uint64_t type = 0;
  int32_t phase = 0;
  Message fields(message);
  while (fields.next()) {
    switch (fields.number()) {
      case Event::kType:
        type = fields.u64();
        break;
      case Event::kTimestampAbsoluteUs:
        head.absolute_us = fields.i64();
        break;
      case Event::kTimestampDeltaUs:
        head.has_delta = true;
        break;
      case Event::kLegacyEvent: {
        Message legacy = fields.message();
        while (legacy.next())
          if (legacy.number() == proto::field::TrackEvent_LegacyEvent::kPhase) phase = legacy.i32();
        break;
      }
      default:
        break;
    }
  }
  head.kind = kind_of_type(type, phase);
  return head;
}

void read_bundle(std::string_view message, KernelBundle& bundle) {
  using Bundle = proto::field::FtraceEventBundle;
  std::vector<KernelEvent> events = std::move(bundle.events);
  events.clear();
  bundle = {};
  std::vector<KernelEvent> compact;
  Message fields(message);
  while (fields.next()) {
    switch (fields.number()) {
      case Bundle::kCpu:
        bundle.has_cpu = true;
        break;
      case Bundle::kFtraceClock:
        bundle.clock = fields.u64();
        break;
      case Bundle::kFtraceTimestamp:
        bundle.ftrace_timestamp = fields.i64();
        break;
      case Bundle::kBootTimestamp:
        bundle.boot_timestamp = fields.i64();
        break;
      case Bundle::kEvent:
        if (const auto event = read_kernel_event(fields.bytes())) events.push_back(*event);
        break;
      case Bundle::kCompactSched:
        read_compact(fields.bytes(), compact);
        break;
      default:
        break;
    }
  }
  events.insert(events.end(), compact.begin(), compact.end());
  bundle.events = std::move(events);
}

void count_events(uint32_t field, std::string_view payload, EventCounts& counts) {
  const auto add = [&](EventKind kind) { ++counts[static_cast<size_t>(kind)]; };
  switch (field) {
    case Field::kTrackEvent:
      return add(read_track_event(payload).kind);
    case Field::kFtraceEvents: {
      KernelBundle bundle;
      read_bundle(payload, bundle);
      if (bundle.has_cpu)
        for (const KernelEvent& event : bundle.events) add(event.kind);
      return;
    }
    case Field::kAndroidLog: {
      Message fields(payload);
      while (fields.next())
        if (fields.number() == proto::field::AndroidLogPacket::kEvents) add(EventKind::Log);
      return;
    }
    case Field::kPerfSample:
      return add(EventKind::Sample);
    case Field::kProfilePacket:
      return add(EventKind::HeapDump);
    case Field::kHeapGraph:
      return add(EventKind::HeapGraph);
    case Field::kTrackDescriptor:
      return add(EventKind::Descriptor);
    case Field::kProcessTree:
      return add(EventKind::ProcessTree);
    default:
      return add(EventKind::Packet);
  }
}

}  // namespace tracebraid::reference
