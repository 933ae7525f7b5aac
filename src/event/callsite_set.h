// CallsiteSet: finds the index of a callsite in a list of distinct ones.
//
// There may be many millions, so that a lookup is mostly a wait for memory: a slot is an index
// of four bytes, and who has several lookups to make may ask for their slots first.
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
  // Fetches what a lookup of this callsite will read first.
  void prefetch(Callsite callsite) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home(callsite)]);
  }

 private:
  size_t home(Callsite callsite) const {
    const uint64_t bits = uint64_t{callsite.parent} << 32 | callsite.frame;
    return (bits * 0x9E37'79B9'7F4A'7C15) >> shift_;
  }
  void grow(const std::vector<Callsite>& list);

  std::vector<uint32_t> slots_;  // open addressing, a power of two; kNone: free
  int shift_ = 64;
};

}  // namespace tracebraid
