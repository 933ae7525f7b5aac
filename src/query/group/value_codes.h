// ValueCodes: assigns codes 0, 1, 2, ... to values, in order of first appearance.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace tracebraid {

class ValueCodes {
 public:
  uint32_t code(uint64_t value) {
    if (value == last_ && count_ != 0) return last_code_;
    last_ = value;
    return last_code_ = value < kMostDense ? dense_code(value) : hashed_code(value);
  }
  uint32_t count() const { return count_; }

 private:
  // Smaller values are looked up in an array with 4 bytes each.
  static constexpr uint64_t kMostDense = uint64_t{1} << 20;
  static constexpr uint32_t kNone = ~uint32_t{0};
  struct Slot {
    uint64_t value = 0;
    uint32_t code = kNone;
  };

  uint32_t dense_code(uint64_t value) {
    if (value >= dense_.size()) dense_.resize(std::bit_ceil(value + 1), kNone);
    uint32_t& code = dense_[value];
    if (code == kNone) code = count_++;
    return code;
  }
  uint32_t hashed_code(uint64_t value) {
    if (hashed_ * 2 >= slots_.size()) grow();
    Slot& slot = slots_[find(value)];
    if (slot.code == kNone) {
      slot = {value, count_++};
      ++hashed_;
    }
    return slot.code;
  }
  // Returns the index of the slot of the value, or of the free slot for it.
  size_t find(uint64_t value) const {
    const size_t mask = slots_.size() - 1;
    uint64_t hash = value * 0x9e3779b97f4a7c15U;
    hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93U;
    size_t at = static_cast<size_t>(hash >> 32) & mask;
    while (slots_[at].code != kNone && slots_[at].value != value) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    constexpr size_t kFirstSlots = 1024;
    std::vector<Slot> before(slots_.empty() ? kFirstSlots : slots_.size() * 2);
    before.swap(slots_);
    for (const Slot& slot : before)
      if (slot.code != kNone) slots_[find(slot.value)] = slot;
  }

  std::vector<uint32_t> dense_;  // value -> code
  std::vector<Slot> slots_;      // open addressing; the size is a power of two
  size_t hashed_ = 0;
  uint32_t count_ = 0;
  uint64_t last_ = 0;
  uint32_t last_code_ = 0;
};

}  // namespace tracebraid
