// The way of buffers: an app dequeues and queues one, the GPU finishes it, SurfaceFlinger
// latches it, the display shows it.
#include <fmt/format.h>

#include <algorithm>

#include "format/proto/fields.h"
#include "format/proto/frames.h"
#include "format/proto/wire.h"

namespace tracebraid::proto {
namespace {

using Buffer = GraphicsFrameState::Buffer;

enum Step : uint32_t { kDequeue = 1, kQueue = 2, kAcquireFence = 4, kLatch = 5, kPresentFence = 8 };

constexpr std::string_view kStepNames[] = {"unspecified_event",
                                           "Dequeue",
                                           "Queue",
                                           "Post",
                                           "AcquireFenceSignaled",
                                           "Latch",
                                           "HWCCompositionQueued",
                                           "FallbackComposition",
                                           "PresentFenceSignaled",
                                           "ReleaseFenceSignaled",
                                           "Modify",
                                           "Detach",
                                           "Attach",
                                           "Cancel"};

struct BufferEvent {
  uint32_t frame = 0;
  std::optional<uint32_t> step, buffer;
  std::string layer;
  int64_t duration_ns = 0;
};

BufferEvent read_event(Message fields) {
  using Field = field::GraphicsFrameEvent_BufferEvent;
  BufferEvent e;
  while (fields.next()) {
    if (fields.number() == Field::kFrameNumber) e.frame = fields.u32();
    if (fields.number() == Field::kType) e.step = fields.u32();
    if (fields.number() == Field::kLayerName) e.layer = fields.bytes();
    if (fields.number() == Field::kDurationNs) e.duration_ns = fields.i64();
    if (fields.number() == Field::kBufferId) e.buffer = fields.u32();
  }
  return e;
}

uint32_t track(uint32_t machine, const std::string& name, PacketOutput& out) {
  return out.tracks.track({.machine = machine,
                           .type = out.sink.string("graphics_frame_event"),
                           .name = out.sink.string(name)},
                          {{"name", name}});
}

void add_frame_args(const BufferEvent& e, PacketOutput& out) {
  add_int("frame_number", e.frame, out.sink);
  add_text("layer_name", e.layer, out.sink);
}

int64_t difference(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_sub_overflow(a, b, &result) ? 0 : result;
}

void emit_step(const PacketInfo& packet, const BufferEvent& e, const Buffer& buffer,
               PacketOutput& out) {
  out.sink.open_args();
  add_frame_args(e, out);
  add_int("queue_to_acquire_time", std::max<int64_t>(difference(buffer.acquired, buffer.queued), 0),
          out.sink);
  add_int("acquire_to_latch_time", difference(buffer.latched, buffer.acquired), out.sink);
  add_int("latch_to_present_time", difference(packet.time.ticks, buffer.latched), out.sink);
  const uint32_t args = out.sink.close_args();
  const uint32_t row = track(packet.machine, fmt::format("Buffer: {} {}", *e.buffer, e.layer), out);
  out.event(packet.time, EventKind::Slice, row, kStepNames[*e.step], args, e.duration_ns);
}

void begin_phase(const PacketInfo& packet, const BufferEvent& e, uint32_t row, PacketOutput& out) {
  out.sink.open_args();
  add_frame_args(e, out);
  out.event(packet.time, EventKind::SliceBegin, row, std::to_string(e.frame),
            out.sink.close_args());
}

void end_phase(const PacketInfo& packet, Buffer& buffer, PacketOutput& out) {
  if (buffer.open == kNone) return;
  out.sink.event(make_event(packet.time, EventKind::SliceEnd, buffer.open));
  buffer.open = kNone;
}

// The app had the buffer until now; only now the number of its frame is known.
void emit_app_phase(const PacketInfo& packet, const BufferEvent& e, Buffer& buffer,
                    PacketOutput& out) {
  if (!buffer.dequeued) return;
  const EventTime since = *buffer.dequeued;
  buffer.dequeued.reset();
  out.sink.open_args();
  add_frame_args(e, out);
  const uint32_t args = out.sink.close_args();
  const uint32_t row = track(packet.machine, fmt::format("APP_{} {}", *e.buffer, e.layer), out);
  out.event(since, EventKind::Slice, row, std::to_string(e.frame), args,
            difference(packet.time.ticks, since.ticks));
}

void emit_phases(const PacketInfo& packet, const BufferEvent& e, Buffer& buffer,
                 GraphicsFrameState& state, PacketOutput& out) {
  const auto begin = [&](std::string_view who) {
    buffer.open = track(packet.machine, fmt::format("{}_{} {}", who, *e.buffer, e.layer), out);
    begin_phase(packet, e, buffer.open, out);
  };
  switch (*e.step) {
    case kDequeue:
      end_phase(packet, buffer, out);
      buffer.dequeued = packet.time;
      break;
    case kQueue:
      emit_app_phase(packet, e, buffer, out);
      end_phase(packet, buffer, out);
      begin("GPU");
      break;
    case kAcquireFence:
      end_phase(packet, buffer, out);
      break;
    case kLatch:
      end_phase(packet, buffer, out);
      begin("SF");
      break;
    case kPresentFence: {
      end_phase(packet, buffer, out);
      const auto [shown, is_first] = state.shown.try_emplace(e.layer, kNone);
      if (!is_first) out.sink.event(make_event(packet.time, EventKind::SliceEnd, shown->second));
      shown->second = track(packet.machine, fmt::format("Display_{}", e.layer), out);
      begin_phase(packet, e, shown->second, out);
      break;
    }
    default:
      break;
  }
}

}  // namespace

void read_graphics_frame(const PacketInfo& packet, std::string_view message,
                         GraphicsFrameState& state, PacketOutput& out) {
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::GraphicsFrameEvent::kBufferEvent) continue;
    const BufferEvent event = read_event(fields.message());
    if (!event.step || !event.buffer || *event.step >= std::size(kStepNames)) {
      out.count(Stat::graphics_frame_event_parser_errors, packet);
      continue;
    }
    Buffer& buffer = state.buffers[{*event.buffer, event.layer}];
    if (buffer.frame != event.frame) {
      buffer.frame = event.frame;
      buffer.queued = buffer.acquired = buffer.latched = 0;
    }
    if (*event.step == kQueue) buffer.queued = packet.time.ticks;
    if (*event.step == kAcquireFence) buffer.acquired = packet.time.ticks;
    if (*event.step == kLatch) buffer.latched = packet.time.ticks;
    emit_step(packet, event, buffer, out);
    emit_phases(packet, event, buffer, state, out);
  }
}

void finish_graphics_frames(uint32_t machine, const GraphicsFrameState& state, PacketOutput& out) {
  for (const auto& [key, buffer] : state.buffers)
    if (buffer.dequeued)
      out.event(*buffer.dequeued, EventKind::SliceBegin,
                track(machine, fmt::format("APP_{} {}", key.first, key.second), out),
                std::to_string(buffer.frame));
}

}  // namespace tracebraid::proto
