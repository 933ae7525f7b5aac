// Mappings: the files mapped into the address spaces of a recording.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "event/sink.h"
#include "format/perf/header.h"
#include "format/perf/records.h"

namespace tracebraid::perf {

class Mappings {
 public:
  Mappings(const Header& header, EventSink& sink) : header_(header), sink_(sink) {}

  void mmap(const Record& record);
  // Copies the mappings of the parent, which a new process has until it runs another program.
  void fork(uint32_t pid, uint32_t parent);
  void exec(uint32_t pid) { spaces_.erase(pid); }

  // Returns the callstack of a sample; `misc` is that of its record. Returns kNone without an
  // address.
  uint32_t callsite(const Sample& sample, uint16_t misc);

 private:
  struct Mapping {
    uint64_t end = 0, file_offset = 0;
    uint32_t index = kNone;
  };
  struct Space {
    std::map<uint64_t, Mapping> mappings;  // by first address
    uint32_t version = 0;  // changes with each change of the mappings; no two spaces share one
  };
  struct Frame {
    uint32_t index = kNone;
    bool is_dummy = false;  // no mapping is known there
  };
  // A step of a callchain and its callsite.
  struct Step {
    uint64_t address = 0;
    bool is_kernel = false;
    uint32_t callsite = kNone;
    uint32_t dummies = 0;  // number of dummies from here to the root
  };
  struct Chain {
    uint32_t pid = 0;
    uint32_t version = 0, kernel_version = 0;  // of the spaces
    std::vector<Step> steps;                   // leaf first
  };

  // Returns an empty space for a process without mappings.
  const Space& space_of(uint32_t pid) const;
  Frame frame(const Space& space, uint64_t address, bool is_kernel);
  Frame find_frame(const Space& space, uint64_t address, bool is_kernel);
  void take_steps(const Sample& sample, uint16_t misc);
  // Finds the callsites of steps_; the steps that `before` ends with are known.
  uint32_t find_callsites(const Chain& before, const Space& user, const Space& kernel);

  const Header& header_;
  EventSink& sink_;
  absl::flat_hash_map<uint32_t, Space> spaces_;  // by pid; kKernel
  uint32_t last_version_ = 0;
  // Frames by address, version of the space and whether it is the kernel's space.
  absl::flat_hash_map<std::pair<uint64_t, uint64_t>, Frame> frames_;
  // Callchains of one thread mostly begin like the one before: the last ones, by tid.
  std::array<Chain, 64> chains_;
  std::vector<Step> steps_;  // of the sample
};

inline constexpr uint32_t kKernel = ~uint32_t{0};

}  // namespace tracebraid::perf
