// MemoryLimit: how much memory an engine may hold for what it reads. HeldMemory: the share of one
// user.
//
// The engine counts the large consumers: staged events with their args and strings after a chunk of
// a file has been read, inputs that are unpacked into memory, and the tables. Buffers of readers
// and of queries are not counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/result.h"

namespace tracebraid {

// Owned by an engine and shared by all traces that it opens. Any thread may use it.
class MemoryLimit {
 public:
  explicit MemoryLimit(uint64_t bytes) : bytes_(bytes) {}
  uint64_t bytes() const { return bytes_; }
  // Returns the bytes that are held now.
  uint64_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  friend class HeldMemory;
  bool take(uint64_t bytes);
  void release(uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

  const uint64_t bytes_;
  std::atomic<uint64_t> used_{0};
};

// Memory of one user, released by the destructor. Any thread may use it. Without a limit it does
// nothing.
class HeldMemory {
 public:
  explicit HeldMemory(std::shared_ptr<MemoryLimit> limit) : limit_(std::move(limit)) {}
  ~HeldMemory() { release(bytes()); }
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;

  // Adds `bytes`. Returns false, and adds nothing, if this exceeds the limit; is_exceeded() then
  // stays true.
  bool take(uint64_t bytes);
  // Requires: at least `bytes` are held.
  void release(uint64_t bytes);

  bool is_limited() const { return limit_ != nullptr; }
  bool is_exceeded() const { return is_exceeded_.load(std::memory_order_relaxed); }
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  // Returns NoMemory, naming the limit and what to do, if the limit was exceeded.
  Result<> check() const;

 private:
  const std::shared_ptr<MemoryLimit> limit_;
  std::atomic<uint64_t> bytes_{0};
  std::atomic<bool> is_exceeded_{false};
};

}  // namespace tracebraid
