// Video buffers and virtual devices (spec proto 5.5, "GPU, display, media").
#include <fmt/format.h>

#include <absl/container/flat_hash_map.h>
#include <array>
#include <tuple>

#include "assemble/kernel/topics.h"
#include "kernel/values.h"

namespace tracebraid {
namespace {

// A buffer of a video device: machine, minor, sequence, type, index.
using VideoBuffer = std::tuple<uint32_t, int32_t, uint32_t, uint32_t, uint32_t>;

struct MediaState {
  absl::flat_hash_map<VideoBuffer, uint32_t> queued_buffers;  // slice
};

// Emits an event on the track of the buffer's device, named after the call.
uint32_t add_buffer(KernelEmitter& out, const KernelEvent& e, std::string_view call) {
  const uint32_t type = e.u32("type");
  const std::string name = fmt::format("{} minor={} seq={} type={} index={}", call, e.i32("minor"),
                                       e.u32("sequence"), type, e.u32("index"));
  MadeArgs& args = out.args();
  args.integer("minor", e.i32("minor"));
  if (e.has("index")) args.uint("index", e.u32("index"));
  if (e.has("type")) args.text("type", video_buffer_type(type));
  if (e.has("bytesused")) args.uint("bytesused", e.u32("bytesused"));
  args.uint("flags", e.u32("flags")).uint("field", e.u32("field"));
  args.integer("timestamp", e.i64("timestamp"));
  for (const std::string_view key :
       {"timecode_type", "timecode_flags", "timecode_frames", "timecode_seconds",
        "timecode_minutes", "timecode_hours", "timecode_userbits0", "timecode_userbits1",
        "timecode_userbits2", "timecode_userbits3", "sequence"})
    if (e.has(FieldKey(key))) args.uint(key, e.u32(FieldKey(key)));
  return out.instant(e, out.thread_track(e), out.id(name),
                     {.category = out.id("Video 4 Linux 2"), .args = args.close()});
}

VideoBuffer buffer_of(const KernelEvent& e) {
  return {e.machine, e.i32("minor"), e.u32("sequence"), e.u32("type"), e.u32("index")};
}

void v4l2_qbuf(KernelEmitter& out, MediaState& state, const KernelEvent& e) {
  state.queued_buffers[buffer_of(e)] = add_buffer(out, e, "VIDIOC_QBUF");
}

void v4l2_dqbuf(KernelEmitter& out, MediaState& state, const KernelEvent& e) {
  const uint32_t slice = add_buffer(out, e, "VIDIOC_DQBUF");
  auto& queued = state.queued_buffers;
  const auto from = queued.find(buffer_of(e));
  if (from == queued.end()) return;
  out.connect(from->second, slice);
  queued.erase(from);
}

void vb2_buf_queue(KernelEmitter& out, const KernelEvent& e) {
  add_buffer(out, e, "vb2_v4l2_buf_queue");
}
void vb2_buf_done(KernelEmitter& out, const KernelEvent& e) {
  add_buffer(out, e, "vb2_v4l2_buf_done");
}
// Both events have one name (spec proto 10).
void vb2_qbuf(KernelEmitter& out, const KernelEvent& e) { add_buffer(out, e, "vb2_v4l2_qbuf"); }

struct GpuQueue {
  std::string_view shown;
  uint32_t commands;  // track
};

// The name is empty for an unknown queue.
GpuQueue gpu_queue(KernelEmitter& out, const KernelEvent& e) {
  const std::string_view name = e.text("name");
  const std::string_view shown = name == "control" ? "Control" : name == "cursor" ? "Cursor" : "";
  if (shown.empty()) return {};
  out.counter(e,
              out.track(e, counter_kind("virtgpu_num_free"), kNone, {{"virtgpu_name", shown}},
                        [=] { return fmt::format("Virtgpu {} Free", shown); }),
              e.u32("num_free"));
  return {shown, out.track(e, {.type = "virtgpu_queue_event", .lanes = Lanes::ByCookie}, kNone,
                           {{"virtgpu_name", shown}},
                           [=] { return fmt::format("Virtgpu {} Queue", shown); })};
}

void virtio_gpu_cmd_queue(KernelEmitter& out, const KernelEvent& e) {
  const GpuQueue queue = gpu_queue(out, e);
  if (queue.shown.empty()) return;
  out.begin(e, queue.commands, out.id(virtio_gpu_command(e.u32("type"))),
            {.cookie = e.u32("seqno")});
}

void virtio_gpu_cmd_response(KernelEmitter& out, const KernelEvent& e) {
  const GpuQueue queue = gpu_queue(out, e);
  if (queue.shown.empty()) return;
  const uint32_t slice = out.end(e, queue.commands, {}, {.cookie = e.u32("seqno")});
  if (slice == kNone) return;
  out.counter(e,
              out.track(e, counter_kind("virtgpu_latency"), kNone, {{"virtgpu_name", queue.shown}},
                        [&] { return fmt::format("Virtgpu {} Latency", queue.shown); }),
              static_cast<double>(out.slice_dur(slice)));
}

void video_command(KernelEmitter& out, const KernelEvent& e, bool is_response) {
  constexpr int64_t kShownNs = 100'000;  // commands have no end
  const uint32_t stream = e.u32("stream_id");
  const std::string_view command = virtio_video_command(e.u32("type"));
  const uint32_t track =
      out.track(e, {.type = "virtio_video_command", .lanes = Lanes::ByCookie}, kNone,
                {{"virtio_stream_id", stream}, {"is_response", is_response ? 1 : 0}}, [=] {
                  return fmt::format("virtio_video stream #{} {}", stream,
                                     is_response ? "Responses" : "Requests");
                });
  out.complete(e, track, out.id(command.empty() ? "Unknown" : command), kShownNs);
}
void virtio_video_cmd(KernelEmitter& out, const KernelEvent& e) { video_command(out, e, false); }
void virtio_video_cmd_done(KernelEmitter& out, const KernelEvent& e) {
  video_command(out, e, true);
}

void video_resource(KernelEmitter& out, const KernelEvent& e, bool is_queued) {
  const uint32_t stream = static_cast<uint32_t>(e.i32("stream_id"));
  const std::string_view queue = virtio_video_queue(e.u32("queue_type"));
  const uint32_t resource = e.u32("resource_id");
  const uint32_t track =
      out.track(e, {.type = "virtio_video_queue_event", .lanes = Lanes::ByCookie}, kNone,
                {{"virtio_stream_id", stream}, {"virtio_queue_type", e.u32("queue_type")}},
                [=] { return fmt::format("virtio_video stream #{} {}", stream, queue); });
  const ArgSource args = out.args()
                             .integer("stream_id", stream)
                             .integer("resource_id", resource)
                             .text("queue_type", queue)
                             .integer("data_size0", e.u32("data_size0"))
                             .integer("data_size1", e.u32("data_size1"))
                             .integer("data_size2", e.u32("data_size2"))
                             .integer("data_size3", e.u32("data_size3"))
                             .integer("timestamp", e.i64("timestamp"))
                             .close();
  const SliceParts parts{.args = args, .cookie = resource};
  if (is_queued)
    out.begin(e, track, out.id(fmt::format("Resource #{}", resource)), parts);
  else
    out.end(e, track, {}, parts);
}
void virtio_video_queue(KernelEmitter& out, const KernelEvent& e) { video_resource(out, e, true); }
void virtio_video_queue_done(KernelEmitter& out, const KernelEvent& e) {
  video_resource(out, e, false);
}

constexpr KernelHandler<MediaState> kHandlers[] = {
    {"v4l2_qbuf", v4l2_qbuf},
    {"v4l2_dqbuf", v4l2_dqbuf},
    {"vb2_v4l2_buf_queue", vb2_buf_queue},
    {"vb2_v4l2_buf_done", vb2_buf_done},
    {"vb2_v4l2_qbuf", vb2_qbuf},
    {"vb2_v4l2_dqbuf", vb2_qbuf},
    {"virtio_gpu_cmd_queue", virtio_gpu_cmd_queue},
    {"virtio_gpu_cmd_response", virtio_gpu_cmd_response},
    {"virtio_video_cmd", virtio_video_cmd},
    {"virtio_video_cmd_done", virtio_video_cmd_done},
    {"virtio_video_resource_queue", virtio_video_queue},
    {"virtio_video_resource_queue_done", virtio_video_queue_done},
};

}  // namespace

std::unique_ptr<KernelTopic> media_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
