// The steps of buffers: an app dequeues and queues one, the GPU finishes it, SurfaceFlinger latches
// it, the display shows it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/gpu/frames.h"
#include "format/proto/gpu/stats.h"

namespace tracebraid::proto {
namespace {

using BufferStep = GraphicsFrameState::Step;

enum Kind : uint32_t { kDequeue = 1, kQueue = 2, kAcquireFence = 4, kLatch = 5, kPresentFence = 8 };

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

// One buffer of a layer.
struct Buffer {
  std::optional<EventTime> dequeued;  // by the app, which has not queued it yet
  uint32_t open = kNone;              // track of the current phase
  // Times of the frame, in ns of the clock of its steps; 0 for missing steps.
  uint32_t frame = 0;
  int64_t queued = 0, acquired = 0, latched = 0;
};

class FrameWriter {
 public:
  FrameWriter(uint32_t machine, PacketOutput& out) : machine_(machine), out_(out) {}

  void write(const BufferStep& step);
  // Ends buffers that apps never queued.
  void finish();

 private:
  uint32_t track(const std::string& name);
  std::string text(StringId id) const { return std::string(out_.sink.batch().strings.get(id)); }
  void add_frame_args(const BufferStep& step);
  void write_step(const BufferStep& step, const Buffer& buffer);
  void begin_phase(const BufferStep& step, uint32_t track);
  void end_phase(const BufferStep& step, Buffer& buffer);
  void write_app_phase(const BufferStep& step, Buffer& buffer);
  void write_phases(const BufferStep& step, Buffer& buffer);

  uint32_t machine_;
  PacketOutput& out_;
  std::map<std::pair<uint32_t, StringId>, Buffer> buffers_;  // by buffer and layer
  absl::flat_hash_map<StringId, uint32_t> shown_;            // tracks of open frames, by layer
};

uint32_t FrameWriter::track(const std::string& name) {
  return out_.tracks.track({.machine = machine_,
                            .type = out_.sink.string("graphics_frame_event"),
                            .name = out_.sink.string(name)},
                           {{"name", name}});
}

void FrameWriter::add_frame_args(const BufferStep& step) {
  add_int("frame_number", step.frame, out_.sink);
  add_text("layer_name", step.layer, out_.sink);
}

int64_t difference(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_sub_overflow(a, b, &result) ? 0 : result;
}

void FrameWriter::write_step(const BufferStep& step, const Buffer& buffer) {
  out_.sink.open_args();
  add_frame_args(step);
  add_int("queue_to_acquire_time", std::max<int64_t>(difference(buffer.acquired, buffer.queued), 0),
          out_.sink);
  add_int("acquire_to_latch_time", difference(buffer.latched, buffer.acquired), out_.sink);
  add_int("latch_to_present_time", difference(step.time.ticks, buffer.latched), out_.sink);
  const uint32_t args = out_.sink.close_args();
  const uint32_t row = track(fmt::format("Buffer: {} {}", step.buffer, text(step.layer)));
  out_.event(step.time, EventKind::Slice, row, kStepNames[step.kind], args, step.duration_ns);
}

void FrameWriter::begin_phase(const BufferStep& step, uint32_t track) {
  out_.sink.open_args();
  add_frame_args(step);
  out_.event(step.time, EventKind::SliceBegin, track, std::to_string(step.frame),
             out_.sink.close_args());
}

void FrameWriter::end_phase(const BufferStep& step, Buffer& buffer) {
  if (buffer.open == kNone) return;
  out_.sink.event(make_slice_end(step.time, buffer.open));
  buffer.open = kNone;
}

// Writes the time for which the app had the buffer. The number of the frame is known only now.
void FrameWriter::write_app_phase(const BufferStep& step, Buffer& buffer) {
  if (!buffer.dequeued) return;
  const EventTime since = *buffer.dequeued;
  buffer.dequeued.reset();
  out_.sink.open_args();
  add_frame_args(step);
  const uint32_t args = out_.sink.close_args();
  const uint32_t row = track(fmt::format("APP_{} {}", step.buffer, text(step.layer)));
  out_.event(since, EventKind::Slice, row, std::to_string(step.frame), args,
             difference(step.time.ticks, since.ticks));
}

void FrameWriter::write_phases(const BufferStep& step, Buffer& buffer) {
  const auto begin = [&](std::string_view who) {
    buffer.open = track(fmt::format("{}_{} {}", who, step.buffer, text(step.layer)));
    begin_phase(step, buffer.open);
  };
  switch (step.kind) {
    case kDequeue:
      end_phase(step, buffer);
      buffer.dequeued = step.time;
      break;
    case kQueue:
      write_app_phase(step, buffer);
      end_phase(step, buffer);
      begin("GPU");
      break;
    case kAcquireFence:
      end_phase(step, buffer);
      break;
    case kLatch:
      end_phase(step, buffer);
      begin("SF");
      break;
    case kPresentFence: {
      end_phase(step, buffer);
      const auto [shown, is_first] = shown_.try_emplace(step.layer, kNone);
      if (!is_first) out_.sink.event(make_slice_end(step.time, shown->second));
      shown->second = track(fmt::format("Display_{}", text(step.layer)));
      begin_phase(step, shown->second);
      break;
    }
    default:
      break;
  }
}

void FrameWriter::write(const BufferStep& step) {
  Buffer& buffer = buffers_[{step.buffer, step.layer}];
  if (buffer.frame != step.frame) {
    buffer.frame = step.frame;
    buffer.queued = buffer.acquired = buffer.latched = 0;
  }
  if (step.kind == kQueue) buffer.queued = step.time.ticks;
  if (step.kind == kAcquireFence) buffer.acquired = step.time.ticks;
  if (step.kind == kLatch) buffer.latched = step.time.ticks;
  write_step(step, buffer);
  write_phases(step, buffer);
}

void FrameWriter::finish() {
  for (const auto& [key, buffer] : buffers_)
    if (buffer.dequeued)
      out_.event(*buffer.dequeued, EventKind::SliceBegin,
                 track(fmt::format("APP_{} {}", key.first, text(key.second))),
                 std::to_string(buffer.frame));
}

void read_step(const PacketInfo& packet, Message fields, GraphicsFrameState& state,
               PacketOutput& out) {
  using Field = field::GraphicsFrameEvent_BufferEvent;
  BufferStep step{
      .time = packet.time, .layer = {}, .frame = 0, .kind = 0, .buffer = 0, .duration_ns = 0};
  bool has_kind = false, has_buffer = false;
  std::string_view layer;
  while (fields.next()) {
    if (fields.number() == Field::kFrameNumber) step.frame = fields.u32();
    if (fields.number() == Field::kLayerName) layer = fields.bytes();
    if (fields.number() == Field::kDurationNs) step.duration_ns = fields.i64();
    if (fields.number() == Field::kType) {
      step.kind = fields.u32();
      has_kind = true;
    }
    if (fields.number() == Field::kBufferId) {
      step.buffer = fields.u32();
      has_buffer = true;
    }
  }
  if (!has_kind || !has_buffer || step.kind >= std::size(kStepNames))
    return out.count(stats::graphics_frame_event_parser_errors, packet);
  step.layer = out.sink.string(layer);
  state.steps.push_back(step);
}

}  // namespace

void read_graphics_frame(const PacketInfo& packet, std::string_view message,
                         GraphicsFrameState& state, PacketOutput& out) {
  for (Message fields(message); fields.next();)
    if (fields.number() == field::GraphicsFrameEvent::kBufferEvent)
      read_step(packet, fields.message(), state, out);
}

void finish_graphics_frames(uint32_t machine, GraphicsFrameState& state, PacketOutput& out) {
  std::ranges::stable_sort(state.steps, {}, [](const BufferStep& step) { return step.time.ticks; });
  FrameWriter writer(machine, out);
  for (const BufferStep& step : state.steps) writer.write(step);
  writer.finish();
}

}  // namespace tracebraid::proto
