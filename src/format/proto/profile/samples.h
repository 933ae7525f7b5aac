// Samples of callstack profilers: perf_sample (perf_samples.cc), stack_sample and streaming
// profiles (stack_samples.cc) (spec proto 6.8).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/common/proto_wire.h"
#include "format/proto/packet_output.h"
#include "format/proto/profile/sample_defaults.h"
#include "format/proto/recording/latest_stats.h"

namespace tracebraid::proto {

class SampleReader {
 public:
  void read_perf_sample(const PacketInfo& packet, std::string_view message, PacketOutput& out);
  void read_stack_sample(const PacketInfo& packet, std::string_view message, PacketOutput& out);
  void read_streaming_profile(const PacketInfo& packet, std::string_view message,
                              PacketOutput& out);
  // Call at the end of the file.
  void finish(EventSink& sink) const;

 private:
  // A counter of a recording: on one CPU, or -1 on all.
  struct CounterOf {
    std::string_view type, source;
    uint32_t session;
    int64_t cpu;
    bool is_timebase;
  };
  struct Value {
    SampledCounter counter;
    bool is_timebase;
    std::optional<uint64_t> value;
  };
  struct Sample {
    uint32_t session = kNone;
    std::string_view source;
    std::optional<std::string_view> name;
    double weight = 1;
    std::optional<int64_t> pid, tid;
    std::vector<Value> values;
    SampleExtra extra;
  };

  static constexpr std::string_view kPerfSource = "linux.perf";
  static constexpr size_t kMaxValues = 64;  // of one sample

  static uint32_t session(const PacketInfo& packet, std::string_view source, std::string_view unit,
                          EventSink& sink);
  uint32_t track(const PacketInfo& packet, const CounterOf& of, const SampledCounter& counter,
                 PacketOutput& out);
  void write(const PacketInfo& packet, Sample& sample, PacketOutput& out);
  static void read_own(const PacketInfo& packet, std::string_view message, Sample& sample,
                       EventSink& sink);
  void read_contexts(const PacketInfo& packet, std::string_view message, Sample& sample,
                     PacketOutput& out);
  void read_values(const PacketInfo& packet, std::string_view message, Sample& sample,
                   const StackSampleDefaults& defaults);

  std::map<uint32_t, LatestStats> stats_;              // by machine
  absl::flat_hash_map<std::string, uint32_t> tracks_;  // by all parts of their key
};

// Return numbers of Profiling.CpuMode and Profiling.StackUnwindError; 0 for other names.
uint64_t cpu_mode_number(std::string_view name);
uint64_t unwind_error_number(std::string_view name);

// Returns the callsite of an interned callstack; counts a counts, one and returns kNone.
uint32_t find_callsite(const PacketInfo& packet, uint64_t iid, EventSink& sink);

}  // namespace tracebraid::proto
