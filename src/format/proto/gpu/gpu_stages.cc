// Render stages of GPUs, and submissions of Vulkan programs.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "event/event_kind.h"
#include "event/row.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/gpu/gpu.h"

namespace tracebraid::proto {
namespace {

using Described = GpuStageState::Described;

// The fields of a render stage event.
struct Stage {
  std::optional<uint64_t> event_id;
  int64_t duration_ns = 0;
  uint64_t queue_id = 0, stage_id = 0, queue_iid = 0, stage_iid = 0;
  uint64_t context = 0, target = 0, pass = 0, command_buffer = 0;
  int64_t submission = 0;
  std::optional<uint64_t> pass_instance;
  uint32_t gpu = 0;
  std::optional<std::string_view> name;
  std::string subpasses;
};

void append_subpasses(const Message& field, uint64_t& word, std::string& text) {
  for_each_varint(field, [&](uint64_t mask) {
    for (uint64_t bit = 0; bit < 64; ++bit)
      if ((mask >> bit & 1) != 0)
        text += fmt::format("{}{}", text.empty() ? "" : ",", word * 64 + bit);
    ++word;
  });
}

Stage read_stage(std::string_view message) {
  using Field = field::GpuRenderStageEvent;
  Stage s;
  uint64_t word = 0;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kEventId:
        s.event_id = fields.u64();
        break;
      case Field::kDuration:
        s.duration_ns = fields.i64();
        break;
      case Field::kHwQueueId:
        s.queue_id = fields.u32();
        break;
      case Field::kStageId:
        s.stage_id = fields.u32();
        break;
      case Field::kHwQueueIid:
        s.queue_iid = fields.u64();
        break;
      case Field::kStageIid:
        s.stage_iid = fields.u64();
        break;
      case Field::kContext:
        s.context = fields.u64();
        break;
      case Field::kRenderTargetHandle:
        s.target = fields.u64();
        break;
      case Field::kRenderPassHandle:
        s.pass = fields.u64();
        break;
      case Field::kCommandBufferHandle:
        s.command_buffer = fields.u64();
        break;
      case Field::kSubmissionId:
        s.submission = fields.u32();
        break;
      case Field::kRenderPassInstanceId:
        s.pass_instance = fields.u64();
        break;
      case Field::kGpuId:
        s.gpu = fields.u32();
        break;
      case Field::kName:
        s.name = fields.bytes();
        break;
      case Field::kRenderSubpassIndexMask:
        append_subpasses(fields, word, s.subpasses);
        break;
      default:
        break;
    }
  }
  return s;
}

Described read_described(Message fields) {
  using Field = field::GpuRenderStageEvent_Specifications_Description;
  Described described;
  while (fields.next()) {
    if (fields.number() == Field::kName) described.name = fields.bytes();
    if (fields.number() == Field::kDescription) {
      described.description = fields.bytes();
      described.has_description = true;
    }
  }
  return described;
}

void read_specifications(Message fields, GpuStageState& state) {
  using Field = field::GpuRenderStageEvent_Specifications;
  using Context = field::GpuRenderStageEvent_Specifications_ContextSpec;
  state.queues.clear();
  state.stages.clear();
  while (fields.next()) {
    if (fields.number() == Field::kHwQueue)
      state.queues.push_back(read_described(fields.message()));
    if (fields.number() == Field::kStage) state.stages.push_back(read_described(fields.message()));
    if (fields.number() != Field::kContextSpec) continue;
    uint64_t context = 0;
    int64_t pid = 0;
    for (Message spec = fields.message(); spec.next();) {
      if (spec.number() == Context::kContext) context = spec.u64();
      if (spec.number() == Context::kPid) pid = spec.i32();
    }
    state.context_pids[context] = pid;
  }
}

// An interned queue or stage, with its category if it has one.
struct Interned {
  Described described;
  std::optional<int64_t> category;
};

std::optional<Interned> find_interned(const PacketInfo& packet, uint64_t iid) {
  using Field = field::InternedGpuRenderStageSpecification;
  const std::string* message =
      packet.sequence->find_message(field::InternedData::kGpuSpecifications, iid);
  if (message == nullptr) return std::nullopt;
  Interned found;
  for (Message fields(*message); fields.next();) {
    if (fields.number() == Field::kName) found.described.name = fields.bytes();
    if (fields.number() == Field::kDescription) {
      found.described.description = fields.bytes();
      found.described.has_description = true;
    }
    if (fields.number() == Field::kCategory) found.category = fields.i32();
  }
  return found;
}

uint32_t queue_track(const PacketInfo& packet, const Stage& stage, const GpuStageState& state,
                     PacketOutput& out) {
  std::optional<Described> queue;
  if (stage.queue_iid != 0) {
    if (const auto interned = find_interned(packet, stage.queue_iid)) queue = interned->described;
  } else if (stage.queue_id < state.queues.size()) {
    queue = state.queues[stage.queue_id];
  }
  const uint64_t id = stage.queue_iid != 0 ? stage.queue_iid : stage.queue_id;
  const std::string name = queue ? queue->name : fmt::format("Unknown GPU Queue {}", id);
  uint32_t source = kNone;
  if (queue && queue->has_description) {
    out.sink.open_args();
    add_text("description", queue->description, out.sink);
    source = out.sink.close_args();
  }
  return out.tracks.track(
      {.lanes = Lanes::ByCookie,
       .machine = packet.machine,
       .gpu = stage.gpu,
       .type = out.sink.string("gpu_render_stage"),
       .name = out.sink.string(name),
       .source_args = source},
      {{"render_stage_source", std::string_view(stage.queue_iid != 0 ? "iid" : "id")},
       {"hwqueue_id", static_cast<int64_t>(id)},
       {"hwqueue_name", queue ? std::string_view(queue->name) : std::string_view()}});
}

// Returns the process of a context; kNone if it is not known. Adds a row for the context.
uint32_t process_of(const PacketInfo& packet, uint64_t context, GpuStageState& state,
                    PacketOutput& out) {
  using Field = field::InternedGraphicsContext;
  if (const std::string* interned =
          packet.sequence->find_message(field::InternedData::kGraphicsContexts, context)) {
    int64_t pid = 0, api = 0;
    for (Message fields(*interned); fields.next();) {
      if (fields.number() == Field::kPid) pid = fields.i32();
      if (fields.number() == Field::kApi) api = fields.i32();
    }
    if (state.contexts.insert(context).second) {
      const StringId name = out.enum_text("perfetto.protos.InternedGraphicsContext.Api", api);
      out.sink.event(RowWriter(out.sink, "gpu_context")
                         .integer("context_id", static_cast<int64_t>(context))
                         .integer("pid", pid)
                         .cell("api", ArgType::String, name.row)
                         .finish(packet.time));
    }
    return out.process(packet, pid);
  }
  const auto pid = state.context_pids.find(context);
  return pid == state.context_pids.end() ? kNone : out.process(packet, pid->second);
}

// Types of VkObjectType that stages refer to.
constexpr int32_t kCommandBuffer = 6, kRenderPass = 18, kFramebuffer = 24;

struct StageText {
  std::string name;
  std::optional<std::string> description;
  std::optional<int64_t> category;
};

StageText text_of(const PacketInfo& packet, const Stage& stage, const GpuStageState& state) {
  StageText text;
  if (const auto interned =
          stage.stage_iid == 0 ? std::nullopt : find_interned(packet, stage.stage_iid)) {
    text.name = interned->described.name;
    text.category = interned->category;
    if (interned->described.has_description) text.description = interned->described.description;
  } else if (stage.stage_iid == 0 && stage.stage_id < state.stages.size()) {
    const Described& described = state.stages[stage.stage_id];
    text.name = described.name;
    if (described.has_description) text.description = described.description;
  } else {
    text.name =
        fmt::format("render stage({})", stage.stage_iid != 0 ? stage.stage_iid : stage.stage_id);
  }
  if (stage.name) text.name = *stage.name;
  return text;
}

uint32_t args_of(const PacketInfo& packet, const Stage& stage, const StageText& text,
                 std::string_view message, uint32_t process, GpuStageState& state,
                 PacketOutput& out) {
  const auto add_handle = [&](std::string_view key, uint64_t handle) {
    add_int(key, static_cast<int64_t>(handle), out.sink, ArgType::Uint);
  };
  const auto add_name = [&](std::string_view key, int32_t type, uint64_t handle) {
    const size_t arg = out.sink.batch().args.rows.size();
    if (handle != 0) state.named_args.push_back({{type, handle}, packet.time.ticks, arg});
    add_text(key, StringId{}, out.sink);
  };
  out.sink.open_args();
  add_handle("context_id", stage.context);
  add_handle("render_target", stage.target);
  add_name("render_target_name", kFramebuffer, stage.target);
  add_handle("render_pass", stage.pass);
  add_name("render_pass_name", kRenderPass, stage.pass);
  add_handle("command_buffer", stage.command_buffer);
  add_name("command_buffer_name", kCommandBuffer, stage.command_buffer);
  add_int("submission_id", stage.submission, out.sink);
  add_handle("hw_queue_id", stage.queue_iid != 0 ? stage.queue_iid : stage.queue_id);
  if (process != kNone) add_int("upid", process, out.sink, ArgType::Process);
  add_text("render_subpasses",
           stage.subpasses.empty() ? StringId{} : out.sink.string(stage.subpasses), out.sink);
  if (text.category) add_int("render_stage_category", *text.category, out.sink);
  if (text.description) add_text("description", *text.description, out.sink);
  if (stage.pass_instance)
    add_text("correlation_id", fmt::format("rp:#{}", *stage.pass_instance), out.sink);
  using Extra = field::GpuRenderStageEvent_ExtraData;
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::GpuRenderStageEvent::kExtraData) continue;
    std::string_view key, value;
    for (Message extra = fields.message(); extra.next();) {
      if (extra.number() == Extra::kName) key = extra.bytes();
      if (extra.number() == Extra::kValue) value = extra.bytes();
    }
    add_text(key, value.data() == nullptr ? StringId{} : out.sink.string(value), out.sink);
  }
  return out.sink.close_args();
}

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

void read_render_stage(const PacketInfo& packet, std::string_view message, GpuStageState& state,
                       PacketOutput& out) {
  using Field = field::GpuRenderStageEvent;
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kSpecifications) read_specifications(fields.message(), state);
  const Stage stage = read_stage(message);
  if (!stage.event_id) return;
  const StageText text = text_of(packet, stage, state);
  const uint32_t process = process_of(packet, stage.context, state, out);
  const uint32_t args = args_of(packet, stage, text, message, process, state, out);
  out.event(packet.time, EventKind::Slice, queue_track(packet, stage, state, out), text.name, args,
            stage.duration_ns);
}

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

void finish_render_stages(GpuStageState& state, EventSink& sink) {
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
