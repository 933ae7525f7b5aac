// GPUs: counters, render stages, memory, logs, Vulkan (spec proto 6.7).
//
// Input: packets of GPUs. Output: slices, counters, logs. Called by SystemPackets.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/proto/packet_output.h"

namespace tracebraid::proto {

struct GpuCounter {
  uint32_t track = kNone;
  // Whether values apply from their time on; otherwise they apply to the time before.
  bool looks_forward = false;
  bool is_described = false;  // otherwise only samples came
};
using GpuCounters = absl::flat_hash_map<uint32_t, GpuCounter>;  // by counter id

struct GpuCounterState {
  GpuCounters declared;         // described by the packets themselves
  std::vector<uint32_t> early;  // ids of `declared` with samples before their description
  // Counters of interned descriptors, by sequence, generation and iid.
  absl::flat_hash_map<std::pair<std::pair<uint32_t, uint64_t>, uint64_t>, GpuCounters> interned;
};

struct GpuStageState {
  struct Described {
    std::string name, description;
    bool has_description = false;
  };
  // Described by the packets themselves.
  std::vector<std::optional<Described>> queues;
  std::vector<Described> stages;
  // Tracks of queues that were not described yet: by queue, then GPU.
  absl::flat_hash_map<uint64_t, std::map<uint32_t, uint32_t>> unknown_queues;
  absl::flat_hash_map<std::string, uint32_t> descriptions;  // arg sets, by text
  absl::flat_hash_map<uint64_t, int64_t> context_pids;
  absl::flat_hash_set<uint64_t> contexts;  // contexts with a row
  // Names of Vulkan objects by type and handle; and the args that need these names, by index of
  // EventBatch::args. A name applies from its time on, in ticks.
  using Object = std::pair<int32_t, uint64_t>;
  struct ObjectName {
    int64_t ticks;
    StringId name;
  };
  struct NamedArg {
    Object object;
    int64_t ticks;
    size_t arg;
  };
  absl::flat_hash_map<Object, std::vector<ObjectName>> object_names;
  std::vector<NamedArg> named_args;
};

struct VulkanMemoryState {
  struct Allocation {
    int64_t bytes = 0;
    uint32_t kind = 0;  // scope of a driver allocation, otherwise type of memory
  };
  // Allocations by process and address or handle: of the driver, of devices, bound memory.
  using Allocations = absl::flat_hash_map<std::pair<uint32_t, uint64_t>, Allocation>;
  Allocations driver, device, bound;
  absl::flat_hash_map<uint32_t, int64_t> totals;  // by track
};

void read_gpu_counters(const PacketInfo& packet, std::string_view message, GpuCounterState& state,
                       PacketOutput& out);
// Call at the end of the file, when its events are in order: completes samples that came before the
// description of their counter.
void finish_gpu_counters(uint32_t machine, GpuCounterState& state, EventSink& sink);
void read_render_stage(const PacketInfo& packet, std::string_view message, GpuStageState& state,
                       PacketOutput& out);
void read_vulkan_api(const PacketInfo& packet, std::string_view message, GpuStageState& state,
                     PacketOutput& out);
// Call when all objects have their names.
void finish_vulkan_names(GpuStageState& state, EventSink& sink);
void read_vulkan_memory(const PacketInfo& packet, std::string_view message,
                        VulkanMemoryState& state, PacketOutput& out);
void read_gpu_log(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_gpu_memory(const PacketInfo& packet, std::string_view message, PacketOutput& out);

}  // namespace tracebraid::proto
