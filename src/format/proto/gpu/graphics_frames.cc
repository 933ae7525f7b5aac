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
constexpr std::string_view kUnknownStep = "unknown_event", kNoLayer = "no_layer_name";

bool has_phase(uint32_t kind) {
  return kind == kDequeue || kind == kQueue || kind == kAcquireFence || kind == kLatch;
}

// The place of a buffer, since its last step that changed it.
enum class Phase : uint8_t { None, App, Gpu, SurfaceFlinger };

// One buffer of a layer.
struct Buffer {
  Phase phase = Phase::None;
  std::optional<BufferStep> dequeue;  // in phase App: its first step
  int64_t last_acquired = kUnset;     // ns of the clock of the steps
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
  uint32_t phase_track(std::string_view phase, const BufferStep& step);
  void begin_phase(const BufferStep& step, uint32_t track);
  void end_phase(const BufferStep& step, Buffer& buffer);
  void end_app_phase(const BufferStep& step, Buffer& buffer);
  void leave_app_phase(Buffer& buffer);
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
  const std::string layer = text(step.layer);
  add_text("layer_name", layer.empty() ? kNoLayer : std::string_view(layer), out_.sink);
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
  const std::string_view name =
      step.kind < std::size(kStepNames) ? kStepNames[step.kind] : kUnknownStep;
  out_.event(step.time, EventKind::Slice, row, name, args, step.duration_ns);
}

uint32_t FrameWriter::phase_track(std::string_view phase, const BufferStep& step) {
  return track(fmt::format("{}_{} {}", phase, step.buffer, text(step.layer)));
}

// A phase without a frame number is named by its time.
void FrameWriter::begin_phase(const BufferStep& step, uint32_t track) {
  out_.sink.open_args();
  add_frame_args(step);
  out_.event(step.time, EventKind::SliceBegin, track,
             std::to_string(step.frame == 0 ? step.time.ticks : int64_t{step.frame}),
             out_.sink.close_args());
}

// Ends the phase that a fence ends.
void FrameWriter::end_phase(const BufferStep& step, Buffer& buffer) {
  const std::string_view phase = buffer.phase == Phase::Gpu ? "GPU" : "SF";
  out_.sink.event(make_slice_end(step.time, phase_track(phase, step)));
  buffer.phase = Phase::None;
}

// Writes the time for which the app had the buffer. The number of the frame is known only now.
void FrameWriter::end_app_phase(const BufferStep& step, Buffer& buffer) {
  const EventTime since = buffer.dequeue->time;
  buffer.dequeue.reset();
  const uint32_t track = phase_track("APP", step);
  out_.sink.open_args();
  add_frame_args(step);
  out_.event(since, EventKind::Slice, track, std::to_string(step.frame), out_.sink.close_args(),
             difference(step.time.ticks, since.ticks));
}

// Writes a phase of the app that has no end in the file. Its frame is called 0.
void FrameWriter::leave_app_phase(Buffer& buffer) {
  BufferStep first = *buffer.dequeue;
  buffer.dequeue.reset();
  first.frame = 0;
  const uint32_t track = phase_track("APP", first);
  out_.sink.open_args();
  add_frame_args(first);
  out_.event(first.time, EventKind::SliceBegin, track, "0", out_.sink.close_args());
}

void FrameWriter::write_phases(const BufferStep& step, Buffer& buffer) {
  switch (step.kind) {
    case kDequeue:
      if (buffer.dequeue) leave_app_phase(buffer);
      buffer.dequeue = step;
      buffer.phase = Phase::App;
      break;
    case kQueue: {
      const bool is_acquired = buffer.dequeue && buffer.last_acquired > buffer.dequeue->time.ticks;
      if (buffer.dequeue) end_app_phase(step, buffer);
      buffer.phase = is_acquired ? Phase::None : Phase::Gpu;
      if (!is_acquired) begin_phase(step, phase_track("GPU", step));
      break;
    }
    case kAcquireFence:
      if (buffer.phase == Phase::Gpu) end_phase(step, buffer);
      buffer.last_acquired = step.time.ticks;
      break;
    case kLatch:
      if (buffer.dequeue) leave_app_phase(buffer);
      begin_phase(step, phase_track("SF", step));
      buffer.phase = Phase::SurfaceFlinger;
      break;
    case kPresentFence: {
      if (buffer.phase == Phase::SurfaceFlinger) end_phase(step, buffer);
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
    if (buffer.dequeue) begin_phase(*buffer.dequeue, phase_track("APP", *buffer.dequeue));
}

void read_step(const PacketInfo& packet, Message fields, GraphicsFrameState& state,
               PacketOutput& out) {
  using Field = field::GraphicsFrameEvent_BufferEvent;
  BufferStep step{
      .time = packet.time, .layer = {}, .frame = 0, .kind = kNone, .buffer = 0, .duration_ns = 0};
  bool has_buffer = false;
  std::string_view layer;
  while (fields.next()) {
    if (fields.number() == Field::kFrameNumber) step.frame = fields.u32();
    if (fields.number() == Field::kLayerName) layer = fields.bytes();
    if (fields.number() == Field::kDurationNs) step.duration_ns = fields.i64();
    if (fields.number() == Field::kType) step.kind = fields.u32();
    if (fields.number() == Field::kBufferId) {
      step.buffer = fields.u32();
      has_buffer = true;
    }
  }
  if (!has_buffer || !has_phase(step.kind))
    out.count(stats::graphics_frame_event_parser_errors, packet);
  if (!has_buffer) return;
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
