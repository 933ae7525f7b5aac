// Meter: limits how much archives may decompress to, in bytes and as a ratio.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/host_files.h"
#include "base/memory_limit.h"
#include "base/result.h"
#include "container/limits.h"

namespace tracebraid {

// Options for opening archives.
struct ContainerOptions {
  ContainerLimits limits;
  HostFiles files;
  std::shared_ptr<MemoryLimit> memory_limit{};  // null: memory is not counted
};

// The use of limits by all members of one input.
struct Budget {
  explicit Budget(const ContainerOptions& options)
      : limits(options.limits), files(options.files), memory(options.memory_limit) {}

  const ContainerLimits limits;
  const HostFiles files;
  HeldMemory memory;                   // of `in_memory`
  std::atomic<uint64_t> packed{0};     // bytes of the input itself
  std::atomic<uint64_t> unpacked{0};   // bytes, each member once
  std::atomic<uint64_t> in_memory{0};  // bytes of nested archives held in memory
};

// Counts the bytes of one member. Copies share the count, so that a member that is opened twice is
// counted once.
class Meter {
 public:
  // `packed` is the compressed size of the member.
  Meter(std::shared_ptr<Budget> budget, uint64_t packed)
      : budget_(std::move(budget)),
        packed_(packed),
        high_water_(std::make_shared<std::atomic<uint64_t>>(0)) {}

  // Reports that unpacking has reached byte `size` of the member. An Error names the limit and its
  // option.
  Result<> reached(uint64_t size) const;

 private:
  std::shared_ptr<Budget> budget_;
  uint64_t packed_;
  std::shared_ptr<std::atomic<uint64_t>> high_water_;
};

}  // namespace tracebraid
