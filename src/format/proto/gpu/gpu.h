// GPUs: counters, render stages, memory, logs, Vulkan (spec proto 6.7).
//
// Input: packets of GPUs. Output: slices, counters, logs. Called by SystemPackets.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/proto/packet_output.h"

namespace tracebraid::proto {

struct GpuCounter {
  uint32_t track = kNone;
  // Its values hold from their time on; those of others are about the time before.
  bool looks_forward = false;
};
using GpuCounters = absl::flat_hash_map<uint32_t, GpuCounter>;  // by counter id

struct GpuCounterState {
  GpuCounters declared;  // by the packets themselves
  // By interned descriptors: of sequence, generation and iid.
  absl::flat_hash_map<std::pair<std::pair<uint32_t, uint64_t>, uint64_t>, GpuCounters> interned;
};

struct GpuStageState {
  struct Described {
    std::string name, description;
    bool has_description = false;
  };
  // As the packets themselves told.
  std::vector<Described> queues, stages;
  absl::flat_hash_map<uint64_t, int64_t> context_pids;
  absl::flat_hash_set<uint64_t> contexts;  // that have a row
  // What programs call objects of Vulkan, by type and handle; and the args that give such names,
  // by their places in EventBatch::args. A name holds from when it was given, in ticks.
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
    uint32_t kind = 0;  // scope of a driver's, otherwise type of memory
  };
  // By process and address or handle: of the driver, of devices, bound ones.
  using Allocations = absl::flat_hash_map<std::pair<uint32_t, uint64_t>, Allocation>;
  Allocations driver, device, bound;
  absl::flat_hash_map<uint32_t, int64_t> totals;  // by track
};

void read_gpu_counters(const PacketInfo& packet, std::string_view message, GpuCounterState& state,
                       PacketOutput& out);
void read_render_stage(const PacketInfo& packet, std::string_view message, GpuStageState& state,
                       PacketOutput& out);
void read_vulkan_api(const PacketInfo& packet, std::string_view message, GpuStageState& state,
                     PacketOutput& out);
// Once all objects have their names.
void finish_render_stages(GpuStageState& state, EventSink& sink);
void read_vulkan_memory(const PacketInfo& packet, std::string_view message,
                        VulkanMemoryState& state, PacketOutput& out);
void read_gpu_log(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_gpu_memory(const PacketInfo& packet, std::string_view message, PacketOutput& out);

}  // namespace tracebraid::proto
