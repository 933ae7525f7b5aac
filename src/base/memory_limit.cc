#include "base/memory_limit.h"

#include <fmt/format.h>

namespace tracebraid {

bool MemoryLimit::take(uint64_t bytes) {
  uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > bytes_ || used > bytes_ - bytes) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

bool HeldMemory::take(uint64_t bytes) {
  if (limit_ == nullptr) return true;
  if (!limit_->take(bytes)) {
    is_exceeded_.store(true, std::memory_order_relaxed);
    return false;
  }
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return true;
}

void HeldMemory::release(uint64_t bytes) {
  if (limit_ == nullptr) return;
  bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  limit_->release(bytes);
}

Result<> HeldMemory::check() const {
  if (!is_exceeded()) return {};
  constexpr double kMegabyte = 1 << 20;
  return fail(ErrorCode::NoMemory,
              fmt::format("the memory limit of {:.1f} MB is too small for these traces; raise "
                          "memory-limit, or open fewer or smaller traces",
                          static_cast<double>(limit_->bytes()) / kMegabyte));
}

}  // namespace tracebraid
