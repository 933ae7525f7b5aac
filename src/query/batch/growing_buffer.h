// GrowingBuffer: appendable memory aligned to 64 bytes. Buffers already returned never change:
// appending writes after them, or moves to new memory.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include "query/batch/record_batch.h"

namespace tracebraid {

class GrowingBuffer {
 public:
  size_t size() const { return size_; }
  // Returns the new bytes, uninitialised.
  std::byte* extend(size_t bytes) {
    if (size_ + bytes > capacity_) grow(size_ + bytes);
    size_ += bytes;
    return data_.get() + (size_ - bytes);
  }
  template <class T>
  T* extend_by(size_t count) {
    return reinterpret_cast<T*>(extend(count * sizeof(T)));
  }
  template <class T>
  void append(T value) {
    std::memcpy(extend(sizeof value), &value, sizeof value);
  }
  void append(std::string_view text) {
    if (!text.empty()) std::memcpy(extend(text.size()), text.data(), text.size());
  }
  std::byte* data() { return data_.get(); }
  Buffer view() const { return {data_, data_.get(), size_}; }
  // Starts an empty buffer in new memory, for now as large as this one.
  Buffer take() {
    Buffer taken = view();
    data_.reset();
    first_bytes_ = std::clamp(size_, kLeastBytes, kMostFirstBytes);
    size_ = capacity_ = 0;
    return taken;
  }

 private:
  static constexpr std::align_val_t kAlign{64};
  static constexpr size_t kLeastBytes = 4096, kMostFirstBytes = size_t{1} << 20;
  static size_t round_up(size_t bytes) { return (bytes + 63) / 64 * 64; }
  struct Free {
    void operator()(std::byte* bytes) const { ::operator delete(bytes, kAlign); }
  };
  void grow(size_t least) {
    const size_t capacity =
        round_up(std::max(least, capacity_ == 0 ? first_bytes_ : capacity_ * 2));
    std::shared_ptr<std::byte> data(static_cast<std::byte*>(::operator new(capacity, kAlign)),
                                    Free());
    if (size_ != 0) std::memcpy(data.get(), data_.get(), size_);
    data_ = std::move(data);
    capacity_ = capacity;
  }

  std::shared_ptr<std::byte> data_;
  size_t size_ = 0, capacity_ = 0, first_bytes_ = kLeastBytes;
};

}  // namespace tracebraid
