// CallsiteSet: finds the index of a callsite in a list of distinct ones.
//
// There may be many millions, so that a lookup is mostly a wait for memory: a slot is an index
// of four bytes with a tag of one, which tells nearly all other callsites without a look at the
// list, and who has several lookups to make may ask for what they read first.
#pragma once

#include <cstdint>
#include <vector>

#include "event/stacks.h"

namespace tracebraid {

class CallsiteSet {
 public:
  // Index of the callsite in `list`, where it is added if it is new. Always the same list, which
  // nobody else changes.
  uint32_t index_of(std::vector<Callsite>& list, Callsite callsite);
  // Fetches what a lookup of this callsite will read first ...
  void prefetch(Callsite callsite) const {
    if (slots_.empty()) return;
    const size_t at = home(hash(callsite));
    __builtin_prefetch(&tags_[at]);
    __builtin_prefetch(&slots_[at]);
  }
  // ... and, once that is there, what it will read next.
  void prefetch_entry(const std::vector<Callsite>& list, Callsite callsite) const {
    if (slots_.empty()) return;
    const uint64_t bits = hash(callsite);
    const size_t at = home(bits);
    if (tags_[at] == tag_of(bits)) __builtin_prefetch(&list[slots_[at]]);
  }

 private:
  static uint64_t hash(Callsite callsite) {
    return (uint64_t{callsite.parent} << 32 | callsite.frame) * 0x9E37'79B9'7F4A'7C15;
  }
  size_t home(uint64_t hash) const { return hash >> shift_; }
  // Bits that do not say where a slot is; 0 is that of a free one.
  static uint8_t tag_of(uint64_t hash) { return static_cast<uint8_t>((hash >> 16 & 0x7F) | 0x80); }
  void put(size_t at, uint64_t hash, size_t index) {
    tags_[at] = tag_of(hash);
    slots_[at] = static_cast<uint32_t>(index);
  }
  void grow(const std::vector<Callsite>& list);

  std::vector<uint8_t> tags_;    // open addressing, a power of two
  std::vector<uint32_t> slots_;  // indexes of the list
  int shift_ = 64;
};

}  // namespace tracebraid
