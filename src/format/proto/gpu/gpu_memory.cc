// Memory of GPUs and of Vulkan programs, and the log of a GPU.
#include <fmt/format.h>

#include <optional>

#include "event/event_kind.h"
#include "event/row.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/gpu/gpu.h"
#include "format/proto/gpu/stats.h"

namespace tracebraid::proto {
namespace {

enum Source : uint64_t { kDriver = 1, kDevice = 2, kDeviceMemory = 3, kBuffer = 4, kImage = 5 };
enum Operation : uint64_t { kCreate = 1, kDestroy = 2, kBind = 3, kDestroyBound = 4 };

struct MemoryEvent {
  uint64_t source = 0, operation = 0, scope = 0;
  uint32_t pid = 0;
  uint64_t caller_iid = 0;
  std::optional<int64_t> timestamp, address, bytes, device, memory, type, heap, object;
};

MemoryEvent read_event(std::string_view message) {
  using Field = field::VulkanMemoryEvent;
  MemoryEvent e;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kSource:
        e.source = fields.u64();
        break;
      case Field::kOperation:
        e.operation = fields.u64();
        break;
      case Field::kTimestamp:
        e.timestamp = fields.i64();
        break;
      case Field::kPid:
        e.pid = fields.u32();
        break;
      case Field::kMemoryAddress:
        e.address = fields.i64();
        break;
      case Field::kMemorySize:
        e.bytes = fields.i64();
        break;
      case Field::kCallerIid:
        e.caller_iid = fields.u64();
        break;
      case Field::kAllocationScope:
        e.scope = fields.u64();
        break;
      case Field::kDevice:
        e.device = fields.i64();
        break;
      case Field::kDeviceMemory:
        e.memory = fields.i64();
        break;
      case Field::kMemoryType:
        e.type = fields.u32();
        break;
      case Field::kHeap:
        e.heap = fields.u32();
        break;
      case Field::kObjectHandle:
        e.object = fields.i64();
        break;
      default:
        break;
    }
  }
  return e;
}

// Returns the name of an enum value without the common prefix of all values.
std::string_view short_name(std::string_view type, uint64_t value, std::string_view prefix,
                            PacketOutput& out) {
  const std::string full = fmt::format("perfetto.protos.VulkanMemoryEvent.{}", type);
  std::string_view name = out.descriptors.enum_name(full, static_cast<int64_t>(value));
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return name;
}

uint32_t annotations(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::VulkanMemoryEventAnnotation;
  const auto text = [&](uint64_t iid) {
    const StringId* known = packet.sequence->find(&InternedData::vulkan_keys, iid);
    if (known == nullptr) out.count(stats::vulkan_allocations_invalid_string_id, packet);
    return known;
  };
  out.sink.open_args();
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::VulkanMemoryEvent::kAnnotations) continue;
    uint64_t key_iid = 0;
    ArgType type = ArgType::Null;
    int64_t value = 0;
    for (Message annotation = fields.message(); annotation.next();) {
      if (annotation.number() == Field::kKeyIid) key_iid = annotation.u64();
      if (annotation.number() == Field::kIntValue) {
        type = ArgType::Int;
        value = annotation.i64();
      }
      if (annotation.number() == Field::kDoubleValue) {
        type = ArgType::Real;
        value = bits_of(annotation.real());
      }
      if (annotation.number() == Field::kStringIid) {
        const StringId* known = text(annotation.u64());
        type = known == nullptr ? ArgType::Null : ArgType::String;
        value = known == nullptr ? 0 : known->row;
      }
    }
    if (const StringId* key = text(key_iid))
      out.sink.arg(out.sink.arg_key({*key, *key}), type, value);
  }
  return out.sink.close_args();
}

void add_row(const PacketInfo& packet, const MemoryEvent& e, uint32_t process, uint32_t args,
             PacketOutput& out) {
  RowWriter row(out.sink, "vulkan_memory_allocations");
  row.process("upid", process);
  row.text("source", short_name("Source", e.source, "SOURCE_", out));
  row.text("operation", short_name("Operation", e.operation, "OP_", out));
  row.text("scope", short_name("AllocationScope", e.scope, "SCOPE_", out));
  const auto add_if = [&](std::string_view column, const std::optional<int64_t>& value) {
    if (value) row.integer(column, *value);
  };
  add_if("timestamp", e.timestamp);
  add_if("device", e.device);
  add_if("device_memory", e.memory);
  add_if("memory_type", e.type);
  add_if("heap", e.heap);
  add_if("object_handle", e.object);
  add_if("memory_address", e.address);
  add_if("memory_size", e.bytes);
  if (e.caller_iid != 0)
    if (const StringId* name = packet.sequence->find(&InternedData::function_names, e.caller_iid))
      row.cell("function_name", ArgType::String, name->row);
  out.sink.event(row.finish(packet.time, args));
}

uint32_t total_track(const PacketInfo& packet, uint32_t process, const MemoryEvent& e,
                     uint32_t kind, PacketOutput& out) {
  if (e.source == kDriver) {
    const std::string_view scope = short_name("AllocationScope", kind, "SCOPE_", out);
    const std::string name = fmt::format("vulkan.mem.driver.scope.{}", scope);
    return out.tracks.process_counter(packet.machine, process,
                                      {.type = "vulkan_driver_mem", .name = name},
                                      {{"vulkan_allocation_scope", scope}});
  }
  const bool is_allocation = e.source == kDeviceMemory;
  const std::string name = fmt::format("vulkan.mem.device.memory.type.{}.{}", kind,
                                       is_allocation ? "allocation" : "bind");
  const std::string_view type =
      is_allocation ? "vulkan_device_mem_allocation" : "vulkan_device_mem_bind";
  return out.tracks.process_counter(packet.machine, process, {.type = type, .name = name},
                                    {{"vulkan_memory_type", int64_t{kind}}});
}

// Emits the memory of one kind that a process holds; released memory is found by its handle.
void emit_total(const PacketInfo& packet, uint32_t process, const MemoryEvent& e,
                VulkanMemoryState& state, PacketOutput& out) {
  const bool is_bound = e.source == kBuffer || e.source == kImage;
  if (e.source != kDriver && e.source != kDeviceMemory && !is_bound) return;
  const bool takes = e.operation == (is_bound ? kBind : kCreate);
  const bool gives = e.operation == (is_bound ? kDestroyBound : kDestroy);
  if (!takes && !gives) return;
  const std::optional<int64_t>& handle = e.source == kDriver         ? e.address
                                         : e.source == kDeviceMemory ? e.memory
                                                                     : e.object;
  VulkanMemoryState::Allocations& all = e.source == kDriver         ? state.driver
                                        : e.source == kDeviceMemory ? state.device
                                                                    : state.bound;
  const std::pair<uint32_t, uint64_t> key{e.pid, static_cast<uint64_t>(handle.value_or(0))};
  VulkanMemoryState::Allocation allocation;
  if (takes) {
    allocation.bytes = e.bytes.value_or(0);
    allocation.kind = e.source == kDriver ? static_cast<uint32_t>(e.scope)
                                          : static_cast<uint32_t>(e.type.value_or(0));
    all[key] = allocation;
  } else {
    const auto known = all.find(key);
    if (known == all.end()) return;
    allocation = known->second;
    all.erase(known);
  }
  const uint32_t track = total_track(packet, process, e, allocation.kind, out);
  int64_t& total = state.totals[track];
  const bool overflows = takes ? __builtin_add_overflow(total, allocation.bytes, &total)
                               : __builtin_sub_overflow(total, allocation.bytes, &total);
  if (!overflows) emit_counter(packet.time, track, static_cast<double>(total), out.sink);
}

}  // namespace

void read_vulkan_memory(const PacketInfo& packet, std::string_view message,
                        VulkanMemoryState& state, PacketOutput& out) {
  const MemoryEvent event = read_event(message);
  const uint32_t process = out.process(packet, event.pid);
  add_row(packet, event, process, annotations(packet, message, out), out);
  emit_total(packet, process, event, state, out);
}

void read_gpu_log(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::GpuLog;
  constexpr std::string_view kSeverities[] = {"UNSPECIFIED", "VERBOSE", "DEBUG",
                                              "INFO",        "WARNING", "ERROR"};
  uint64_t severity = 0;
  out.sink.open_args();
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kSeverity) severity = fields.u64();
    if (fields.number() == Field::kTag) add_text("tag", fields.bytes(), out.sink);
    if (fields.number() == Field::kLogMessage) add_text("message", fields.bytes(), out.sink);
  }
  const uint32_t args = out.sink.close_args();
  const uint32_t track = out.tracks.track({.machine = packet.machine,
                                           .type = out.sink.string("gpu_log"),
                                           .name = out.sink.string("GPU Log")});
  const std::string_view name =
      severity < std::size(kSeverities) ? kSeverities[severity] : "UNKNOWN_SEVERITY";
  out.event(packet.time, EventKind::Instant, track, name, args);
}

void read_gpu_memory(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::GpuMemTotalEvent;
  uint32_t gpu = 0, pid = 0;
  uint64_t bytes = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kGpuId) gpu = fields.u32();
    if (fields.number() == Field::kPid) pid = fields.u32();
    if (fields.number() == Field::kSize) bytes = fields.u64();
  }
  TrackName name{.events = TrackEvents::Counter,
                 .machine = packet.machine,
                 .gpu = gpu,
                 .type = out.sink.string(pid == 0 ? "gpu_memory" : "process_gpu_memory"),
                 .name = out.sink.string("GPU Memory"),
                 .unit = out.sink.string("bytes")};
  if (pid != 0) {
    name.scope = TrackScope::Process;
    name.owner = out.process(packet, pid);
  }
  emit_counter(packet.time, out.tracks.track(name), static_cast<double>(bytes), out.sink);
}

}  // namespace tracebraid::proto
