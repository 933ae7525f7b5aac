// Render stages of GPUs.
#include <fmt/format.h>

#include <optional>

#include "event/event_kind.h"
#include "event/row.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/gpu/compute_kernels.h"
#include "format/proto/gpu/gpu.h"
#include "format/proto/gpu/stats.h"

namespace tracebraid::proto {
namespace {

using Described = GpuStageState::Described;

// The fields of a render stage event.
struct Stage {
  std::optional<uint64_t> event_id;
  int64_t duration_ns = 0;
  uint64_t queue_id = 0, stage_id = 0, kernel_iid = 0;
  std::optional<uint64_t> queue_iid, stage_iid, name_iid;
  uint64_t context = 0, target = 0, pass = 0, command_buffer = 0;
  int64_t submission = 0;
  std::optional<uint64_t> pass_instance;
  uint32_t gpu = 0;
  std::optional<std::string_view> name;
  std::string subpasses;
  std::vector<uint64_t> awaited;  // event ids of other stages

  uint64_t queue() const { return queue_iid.value_or(queue_id); }
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
        s.stage_id = fields.u64();
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
      case Field::kNameIid:
        s.name_iid = fields.u64();
        break;
      case Field::kKernelIid:
        s.kernel_iid = fields.u64();
        break;
      case Field::kEventWaitIds:
        for_each_varint(fields, [&](uint64_t id) { s.awaited.push_back(id); });
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

// Returns one arg set for equal descriptions, so that equal tracks are equal as values.
uint32_t description_set(const Described& described, GpuStageState& state, PacketOutput& out) {
  if (!described.has_description) return kNone;
  const auto [known, is_new] = state.descriptions.try_emplace(described.description);
  if (!is_new) return known->second;
  out.sink.open_args();
  add_text("description", described.description, out.sink);
  return known->second = out.sink.close_args();
}

// Gives a queue its name, also on the tracks of its earlier events.
void describe_queue(size_t number, Described queue, GpuStageState& state, PacketOutput& out) {
  if (const auto unknown = state.unknown_queues.find(number);
      unknown != state.unknown_queues.end()) {
    for (const auto& [gpu, track] : unknown->second) {
      TrackName& name = out.sink.batch().tracks[track];
      name.name = out.sink.string(queue.name);
      name.source_args = description_set(queue, state, out);
    }
    state.unknown_queues.erase(unknown);
  }
  if (number >= state.queues.size()) state.queues.resize(number + 1);
  state.queues[number] = std::move(queue);
}

void read_specifications(Message fields, GpuStageState& state, PacketOutput& out) {
  using Field = field::GpuRenderStageEvent_Specifications;
  using Context = field::GpuRenderStageEvent_Specifications_ContextSpec;
  size_t queue_number = 0;
  while (fields.next()) {
    if (fields.number() == Field::kHwQueue) {
      Described queue = read_described(fields.message());
      if (!queue.name.empty()) describe_queue(queue_number, std::move(queue), state, out);
      ++queue_number;
    }
    if (fields.number() == Field::kStage) {
      Described stage = read_described(fields.message());
      if (!stage.name.empty()) state.stages.push_back(std::move(stage));
    }
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

// Returns the track of the queue; kNone if the queue is interned and not known.
uint32_t queue_track(const PacketInfo& packet, const Stage& stage, GpuStageState& state,
                     PacketOutput& out) {
  std::optional<Described> queue;
  if (stage.queue_iid) {
    const auto interned = find_interned(packet, *stage.queue_iid);
    if (!interned) return kNone;
    queue = interned->described;
  } else if (stage.queue_id < state.queues.size()) {
    queue = state.queues[stage.queue_id];
  }
  const uint64_t id = stage.queue();
  const std::string name = queue ? queue->name : fmt::format("Unknown GPU Queue {}", id);
  const uint32_t track = out.tracks.track(
      {.lanes = Lanes::ByCookie,
       .machine = packet.machine,
       .gpu = stage.gpu,
       .type = out.sink.string("gpu_render_stage"),
       .name = out.sink.string(name),
       .source_args = queue ? description_set(*queue, state, out) : kNone},
      {{"render_stage_source", std::string_view(stage.queue_iid ? "iid" : "id")},
       {"hwqueue_id", static_cast<int64_t>(id)},
       {"hwqueue_name", queue ? std::string_view(queue->name) : std::string_view()}});
  if (!queue) state.unknown_queues[id].emplace(stage.gpu, track);
  return track;
}

// Returns the process of a context; pid 0 if it is not known. Adds a row for the context.
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
  return out.process(packet, pid == state.context_pids.end() ? 0 : pid->second);
}

// Types of VkObjectType that stages refer to.
constexpr int32_t kCommandBuffer = 6, kRenderPass = 18, kFramebuffer = 24;

struct StageText {
  StringId name;
  std::optional<std::string> description;
  std::optional<int64_t> category;
};

StageText text_of(const PacketInfo& packet, const Stage& stage, const GpuStageState& state,
                  PacketOutput& out) {
  StageText text;
  if (stage.stage_iid) {
    if (const auto interned = find_interned(packet, *stage.stage_iid)) {
      text.name = out.sink.string(interned->described.name);
      text.category = interned->category;
      if (interned->described.has_description) text.description = interned->described.description;
    }
  } else if (stage.stage_id < state.stages.size()) {
    const Described& described = state.stages[stage.stage_id];
    text.name = out.sink.string(described.name);
    if (described.has_description) text.description = described.description;
  } else {
    text.name = out.sink.string(fmt::format("render stage({})", stage.stage_id));
  }
  if (stage.name_iid) {
    const StringId* name = packet.sequence->find(&InternedData::event_names, *stage.name_iid);
    text.name = name == nullptr ? StringId{} : *name;
  } else if (stage.name) {
    text.name = out.sink.string(*stage.name);
  }
  return text;
}

void add_extra_data(std::string_view message, EventSink& sink) {
  using Extra = field::GpuRenderStageEvent_ExtraData;
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::GpuRenderStageEvent::kExtraData) continue;
    std::string_view key, value;
    for (Message extra = fields.message(); extra.next();) {
      if (extra.number() == Extra::kName) key = extra.bytes();
      if (extra.number() == Extra::kValue) value = extra.bytes();
    }
    add_text(key, value.data() == nullptr ? StringId{} : sink.string(value), sink);
  }
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
  if (text.category) add_int("render_stage_category", *text.category, out.sink);
  if (text.description) add_text("description", *text.description, out.sink);
  add_kernel_args(packet, stage.kernel_iid, out.sink);
  for (Message fields(message); fields.next();)
    if (fields.number() == field::GpuRenderStageEvent::kLaunch)
      add_launch_args(packet, fields.message(), out.sink);
  if (stage.pass_instance)
    add_text("correlation_id", fmt::format("rp:#{}", *stage.pass_instance), out.sink);
  add_extra_data(message, out.sink);
  add_handle("context_id", stage.context);
  add_handle("render_target", stage.target);
  add_name("render_target_name", kFramebuffer, stage.target);
  add_handle("render_pass", stage.pass);
  add_name("render_pass_name", kRenderPass, stage.pass);
  add_handle("command_buffer", stage.command_buffer);
  add_name("command_buffer_name", kCommandBuffer, stage.command_buffer);
  add_int("submission_id", stage.submission, out.sink);
  add_handle("hw_queue_id", stage.queue());
  add_int("upid", process, out.sink, ArgType::Process);
  add_text("render_subpasses",
           stage.subpasses.empty() ? StringId{} : out.sink.string(stage.subpasses), out.sink);
  return out.sink.close_args();
}

// Returns the SliceExtra with the flows from the stages that the stage waited for, and with its own
// event id, which other flows lead to or from.
uint32_t flows_of(const Stage& stage, EventSink& sink) {
  std::vector<FlowStep>& flows = sink.batch().flows;
  const auto first = static_cast<uint32_t>(flows.size());
  flows.push_back({*stage.event_id, FlowStepKind::GpuStage, false});
  for (const uint64_t id : stage.awaited) flows.push_back({id, FlowStepKind::FromGpuStages, false});
  flows.back().last = true;
  sink.batch().slice_extras.push_back({.flows = first});
  return static_cast<uint32_t>(sink.batch().slice_extras.size() - 1);
}

}  // namespace

void read_render_stage(const PacketInfo& packet, std::string_view message, GpuStageState& state,
                       PacketOutput& out) {
  using Field = field::GpuRenderStageEvent;
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kSpecifications)
      read_specifications(fields.message(), state, out);
  const Stage stage = read_stage(message);
  if (!stage.event_id) return;
  const uint32_t track = queue_track(packet, stage, state, out);
  if (track == kNone) return out.count(stats::gpu_render_stage_parser_errors, packet);
  const StageText text = text_of(packet, stage, state, out);
  const uint32_t process = process_of(packet, stage.context, state, out);
  const uint32_t args = args_of(packet, stage, text, message, process, state, out);
  out.sink.event(make_slice(packet.time, track, stage.duration_ns,
                            {.name = text.name, .args = args, .extra = flows_of(stage, out.sink)}));
}

}  // namespace tracebraid::proto
