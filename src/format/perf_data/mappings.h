// Mappings: what lies where in the address spaces of a recording.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <string_view>

#include "event/sink.h"
#include "format/perf_data/header.h"
#include "format/perf_data/records.h"

namespace tracebraid::perf_data {

class Mappings {
 public:
  Mappings(const Header& header, EventSink& sink) : header_(header), sink_(sink) {}

  void mmap(const Record& record);
  // A new process has what its parent has, until it runs another program.
  void fork(uint32_t pid, uint32_t parent);
  void exec(uint32_t pid) { spaces_.erase(pid); }

  // The callstack of a sample; `misc` is that of its record. kNone if there is no address.
  uint32_t callsite(const Sample& sample, uint16_t misc);

 private:
  // The frame of an address, in the kernel or in a process.
  uint32_t frame(uint32_t pid, uint64_t address, bool is_kernel);
  struct Mapping {
    uint64_t end = 0, file_offset = 0;
    uint32_t index = kNone;
  };
  using Space = std::map<uint64_t, Mapping>;  // by first address
  const std::pair<const uint64_t, Mapping>* find(uint32_t pid, uint64_t address) const;

  const Header& header_;
  EventSink& sink_;
  absl::flat_hash_map<uint32_t, Space> spaces_;  // by pid; kKernel
};

inline constexpr uint32_t kKernel = ~uint32_t{0};

}  // namespace tracebraid::perf_data
