// Defaults of a writer of samples: the events that it counts (spec proto 1.3, 6.8).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "format/common/proto_wire.h"

namespace tracebraid::proto {

struct SampledCounter {
  std::string name, unit, description;
  bool of_cpu = false;
  uint64_t multiplier = 1;
};

struct PerfDefaults {
  SampledCounter timebase{.name = "cpu-clock", .unit = "ns"};
  std::vector<SampledCounter> followers;
  std::optional<uint32_t> shard_count, chosen_shard;
};

struct StackSampleDefaults {
  std::string source;
  std::optional<SampledCounter> primary;
  std::vector<SampledCounter> followers;
};

PerfDefaults read_perf_defaults(Message message);
StackSampleDefaults read_stack_sample_defaults(Message message);
// Reads a StackSample.CounterDescriptor.
SampledCounter read_counter_descriptor(Message message);

}  // namespace tracebraid::proto
