// CallsiteSet: finds the index of a callsite in a list of distinct ones.
//
// With millions of callsites, a lookup is mostly a cache miss. A slot is an index of four bytes
// with a tag of one byte, which excludes nearly all other callsites without reading the list;
// callers with several lookups prefetch.
#pragma once

#include <cstdint>
#include <vector>

#include "event/stacks.h"

namespace tracebraid {

class CallsiteSet {
 public:
  // Returns the index of the callsite in `list`, and appends it if it is new. Requires: the same
  // list in all calls, changed by this set only.
  uint32_t index_of(std::vector<Callsite>& list, Callsite callsite);
  // Prefetches what a lookup of this callsite reads first.
  void prefetch(Callsite callsite) const {
    if (slots_.empty()) return;
    const size_t at = home(hash(callsite));
    __builtin_prefetch(&tags_[at]);
    __builtin_prefetch(&slots_[at]);
  }
  // Prefetches what the lookup reads next. Requires: the first prefetch is done.
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
  // Returns bits of the hash that do not select the slot; 0 marks a free slot.
  static uint8_t tag_of(uint64_t hash) { return static_cast<uint8_t>((hash >> 16 & 0x7F) | 0x80); }
  void put(size_t at, uint64_t hash, size_t index) {
    tags_[at] = tag_of(hash);
    slots_[at] = static_cast<uint32_t>(index);
  }
  void grow(const std::vector<Callsite>& list);

  std::vector<uint8_t> tags_;    // open addressing; the size is a power of two
  std::vector<uint32_t> slots_;  // indexes of the list
  int shift_ = 64;
};

}  // namespace tracebraid
