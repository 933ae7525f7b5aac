#include "event/callsite_set.h"

#include <algorithm>
#include <bit>

namespace tracebraid {

uint32_t CallsiteSet::index_of(std::vector<Callsite>& list, Callsite callsite) {
  if (list.size() * 4 >= slots_.size() * 3) grow(list);
  const uint64_t bits = hash(callsite);
  size_t at = home(bits);
  // A callee of the newest callsite is new, too. No lookup is needed, so the cache misses of a new
  // callstack overlap.
  const auto next = static_cast<uint32_t>(list.size());
  const bool is_new = static_cast<uint32_t>(callsite.parent + 1) == next;
  for (; tags_[at] != 0; at = (at + 1) & (slots_.size() - 1))
    if (!is_new && tags_[at] == tag_of(bits) && list[slots_[at]] == callsite) return slots_[at];
  put(at, bits, next);
  list.push_back(callsite);
  return next;
}

void CallsiteSet::grow(const std::vector<Callsite>& list) {
  constexpr size_t kFewest = 64;
  const size_t slots = std::max(kFewest, slots_.size() * 2);
  slots_ = {};  // releases memory before allocating the new slots
  slots_.resize(slots);
  tags_.assign(slots, 0);
  shift_ = 64 - std::countr_zero(slots);
  constexpr size_t kAhead = 24;  // lookups whose cache misses overlap
  for (size_t i = 0; i < list.size(); ++i) {
    if (i + kAhead < list.size()) prefetch(list[i + kAhead]);
    const uint64_t bits = hash(list[i]);
    size_t at = home(bits);
    while (tags_[at] != 0) at = (at + 1) & (slots - 1);
    put(at, bits, i);
  }
}

}  // namespace tracebraid
