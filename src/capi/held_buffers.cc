#include "capi/held_buffers.h"

#include <algorithm>
#include <array>

namespace tracebraid::capi {
namespace {

std::array<const Buffer*, 4> buffers_of(const ArrayData& array) {
  return {&array.validity, &array.values, &array.bytes, &array.offsets};
}

}  // namespace

void HeldBuffers::add(const ArrayData& array) {
  const std::lock_guard lock(mutex_);
  buffers_.reserve(buffers_.size() + buffers_of(array).size());  // so that nothing below throws
  for (const Buffer* const buffer : buffers_of(array)) {
    if (buffer->owner == nullptr) continue;
    Held& held = buffers_[buffer->owner.get()];
    ++held.arrays;
    const size_t bytes = std::max(held.bytes, buffer->size);
    bytes_ += bytes - held.bytes;
    held.bytes = bytes;
  }
}

void HeldBuffers::remove(const ArrayData& array) noexcept {
  const std::lock_guard lock(mutex_);
  for (const Buffer* const buffer : buffers_of(array)) {
    if (buffer->owner == nullptr) continue;
    const auto held = buffers_.find(buffer->owner.get());
    if (--held->second.arrays != 0) continue;
    bytes_ -= held->second.bytes;
    buffers_.erase(held);
  }
}

uint64_t HeldBuffers::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace tracebraid::capi
