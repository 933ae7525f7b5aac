// MemoryLimit: how much memory an engine may take for what it reads, and HeldMemory: what one user
// takes of it.
//
// The engine counts the large takers: staged events with their args and strings when a piece of a
// file has been read, inputs that are unpacked into memory, and the tables. Buffers of readers and
// of queries are not counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/result.h"

namespace tracebraid {

// Owned by an engine and shared by all that it opens. Any thread may use it.
class MemoryLimit {
 public:
  explicit MemoryLimit(uint64_t bytes) : bytes_(bytes) {}
  uint64_t bytes() const { return bytes_; }
  // Bytes that are held now.
  uint64_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  friend class HeldMemory;
  bool take(uint64_t bytes);
  void release(uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

  const uint64_t bytes_;
  std::atomic<uint64_t> used_{0};
};

// Released when it is destroyed. Any thread may use it. Without a limit it does nothing.
class HeldMemory {
 public:
  explicit HeldMemory(std::shared_ptr<MemoryLimit> limit) : limit_(std::move(limit)) {}
  ~HeldMemory() { release(bytes()); }
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;

  // False if that exceeds the limit: then nothing is taken, and is_exceeded() stays true.
  bool take(uint64_t bytes);
  // Requires: that many bytes are held.
  void release(uint64_t bytes);

  bool is_limited() const { return limit_ != nullptr; }
  bool is_exceeded() const { return is_exceeded_.load(std::memory_order_relaxed); }
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  // NoMemory, which names the limit and what to do, if the limit was exceeded.
  Result<> check() const;

 private:
  const std::shared_ptr<MemoryLimit> limit_;
  std::atomic<uint64_t> bytes_{0};
  std::atomic<bool> is_exceeded_{false};
};

}  // namespace tracebraid
