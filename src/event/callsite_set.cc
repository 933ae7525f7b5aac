#include "event/callsite_set.h"

#include <algorithm>
#include <bit>

namespace tracebraid {

uint32_t CallsiteSet::index_of(std::vector<Callsite>& list, Callsite callsite) {
  if (list.size() * 4 >= slots_.size() * 3) grow(list);
  const size_t mask = slots_.size() - 1;
  size_t at = home(callsite);
  for (; slots_[at] != kNone; at = (at + 1) & mask)
    if (list[slots_[at]] == callsite) return slots_[at];
  const auto index = static_cast<uint32_t>(list.size());
  slots_[at] = index;
  list.push_back(callsite);
  return index;
}

void CallsiteSet::grow(const std::vector<Callsite>& list) {
  constexpr size_t kFewest = 64;
  const size_t slots = std::max(kFewest, slots_.size() * 2);
  slots_ = {};  // before the new ones are taken
  slots_.assign(slots, kNone);
  shift_ = 64 - std::countr_zero(slots);
  for (uint32_t i = 0; i < list.size(); ++i) {
    size_t at = home(list[i]);
    while (slots_[at] != kNone) at = (at + 1) & (slots - 1);
    slots_[at] = i;
  }
}

}  // namespace tracebraid
