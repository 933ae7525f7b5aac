// Submissions of Vulkan programs, and names of their objects.
#include <algorithm>
#include <iterator>

#include "event/event_kind.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/gpu/gpu.h"

namespace tracebraid::proto {
namespace {

void read_submit(const PacketInfo& packet, Message fields, PacketOutput& out) {
  using Field = field::VulkanApiEvent_VkQueueSubmit;
  int64_t duration = 0, pid = 0, tid = 0, submission = 0;
  std::vector<int64_t> buffers;
  while (fields.next()) {
    if (fields.number() == Field::kDurationNs) duration = fields.i64();
    if (fields.number() == Field::kPid) pid = fields.u32();
    if (fields.number() == Field::kTid) tid = fields.u32();
    if (fields.number() == Field::kSubmissionId) submission = fields.u32();
    if (fields.number() == Field::kVkCommandBuffers)
      for_each_varint(fields, [&](uint64_t b) { buffers.push_back(static_cast<int64_t>(b)); });
  }
  out.sink.open_args();
  add_int("pid", pid, out.sink);
  add_int("tid", tid, out.sink);
  if (!buffers.empty()) add_int("command_buffer", buffers.front(), out.sink, ArgType::Uint);
  for (size_t i = 0; i < buffers.size(); ++i) {
    ArgPath path("command_buffers");
    path.enter({i, i});
    out.sink.arg(path.arg_key(out.sink), ArgType::Uint, buffers[i]);
  }
  add_int("submission_id", submission, out.sink);
  const uint32_t args = out.sink.close_args();
  const uint32_t track = out.tracks.track({.machine = packet.machine,
                                           .type = out.sink.string("vulkan_events"),
                                           .name = out.sink.string("Vulkan Events")});
  out.event(packet.time, EventKind::Slice, track, "vkQueueSubmit", args, duration);
}

}  // namespace

void read_vulkan_api(const PacketInfo& packet, std::string_view message, GpuStageState& state,
                     PacketOutput& out) {
  using Field = field::VulkanApiEvent;
  using Named = field::VulkanApiEvent_VkDebugUtilsObjectName;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kVkQueueSubmit) read_submit(packet, fields.message(), out);
    if (fields.number() != Field::kVkDebugUtilsObjectName) continue;
    int32_t type = 0;
    uint64_t object = 0;
    std::string_view name;
    for (Message named = fields.message(); named.next();) {
      if (named.number() == Named::kObjectType) type = named.i32();
      if (named.number() == Named::kObject) object = named.u64();
      if (named.number() == Named::kObjectName) name = named.bytes();
    }
    state.object_names[{type, object}].push_back({packet.time.ticks, out.sink.string(name)});
  }
}

void finish_vulkan_names(GpuStageState& state, EventSink& sink) {
  using ObjectName = GpuStageState::ObjectName;
  for (auto& [object, names] : state.object_names)
    std::ranges::stable_sort(names, {}, &ObjectName::ticks);
  for (const GpuStageState::NamedArg& named : state.named_args) {
    const auto known = state.object_names.find(named.object);
    if (known == state.object_names.end()) continue;
    const auto next = std::ranges::upper_bound(known->second, named.ticks, {}, &ObjectName::ticks);
    if (next != known->second.begin())
      sink.batch().args.rows[named.arg].value = std::prev(next)->name.row;
  }
}

}  // namespace tracebraid::proto
