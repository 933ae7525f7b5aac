// The bytes of one run of a fuzzer, from which it makes its input.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tracebraid {

// After the last byte, all are 0.
class FuzzedBytes {
 public:
  FuzzedBytes(const uint8_t* data, size_t size) : at_(data), left_(size) {}
  bool empty() const { return left_ == 0; }
  uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *at_++;
  }
  // Returns the signed number of the next `bytes` bytes, at most 8.
  int64_t signed_of(int bytes) {
    uint64_t any = 0;
    for (int i = 0; i < bytes; ++i) any = any << 8 | byte();
    const int unused = 64 - 8 * bytes;
    return static_cast<int64_t>(any << unused) >> unused;
  }

 private:
  const uint8_t* at_;
  size_t left_;
};

}  // namespace tracebraid
