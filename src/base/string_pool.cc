#include "base/string_pool.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace tracebraid {
namespace {

// The first blocks are small, because an archive may have a million files with one pool each.
constexpr size_t kFirstBlockBytes = 512, kSecondBlockBytes = 4096;
constexpr size_t kBlockBytes = size_t{256} << 10;
constexpr size_t kFirstSlots = 64;

uint64_t hash_of(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

// Returns the part of a hash that a slot stores, which also determines where the search begins.
// Slots are therefore nearly in the order of their tags, and growing moves them from front to back.
uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }
uint64_t hash_with(uint32_t tag) { return uint64_t{tag} << 32; }
size_t home_of(uint32_t tag, size_t slots) {
  return hash_with(tag) >> 1 >> (63 - std::countr_zero(slots));  // a table may have one slot
}

}  // namespace

StringId StringPool::intern(std::string_view text) {
  text = text.substr(0, std::numeric_limits<uint32_t>::max());
  if ((entries_.size() + 1) * 4 > slots_.size() * 3) grow(std::max(kFirstSlots, slots_.size() * 2));
  const uint64_t hash = hash_of(text);
  const size_t slot = probe(hash, text);
  if (slots_[slot].row != StringId::kNone) return {slots_[slot].row};
  return insert(hash, store(text), slot);
}

StringId StringPool::find(std::string_view text) const {
  if (slots_.empty()) return {};
  return {slots_[probe(hash_of(text), text)].row};
}

std::vector<StringId> StringPool::adopt(StringPool&& other) {
  constexpr size_t kSoon = 16;
  std::vector<StringId> ids;
  ids.reserve(other.entries_.size());
  std::vector<uint32_t> tags(other.entries_.size());
  for (const Slot& slot : other.slots_)
    if (slot.row != StringId::kNone) tags[slot.row] = slot.hash;
  for (uint32_t row = 0; row < tags.size(); ++row) {
    if ((entries_.size() + 1) * 4 > slots_.size() * 3)
      grow(std::max(kFirstSlots, slots_.size() * 2));
    const uint32_t soon = tags[std::min(row + kSoon, tags.size() - 1)];
    __builtin_prefetch(&slots_[home_of(soon, slots_.size())]);
    const uint64_t hash = hash_with(tags[row]);
    const size_t slot = probe(hash, other.get({row}));
    ids.push_back(slots_[slot].row != StringId::kNone ? StringId{slots_[slot].row}
                                                      : insert(hash, other.entries_[row], slot));
  }
  // The open block of this pool stays open, wherever it is in the list.
  blocks_.insert(blocks_.end(), std::make_move_iterator(other.blocks_.begin()),
                 std::make_move_iterator(other.blocks_.end()));
  bytes_ += other.bytes_;
  other = StringPool();
  return ids;
}

size_t StringPool::memory() const {
  return bytes_ + entries_.capacity() * sizeof(entries_[0]) + slots_.capacity() * sizeof(Slot);
}

const char* StringPool::store(std::string_view text) {
  const size_t need = sizeof(uint32_t) + text.size();
  if (need > block_left_) {
    const size_t usual = blocks_.empty()       ? kFirstBlockBytes
                         : blocks_.size() == 1 ? kSecondBlockBytes
                                               : kBlockBytes;
    const size_t size = std::max(need, usual);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    bytes_ += size;
    block_at_ = blocks_.back().get();
    block_left_ = size;
  }
  char* blob = block_at_;
  const auto size = static_cast<uint32_t>(text.size());
  std::memcpy(blob, &size, sizeof size);
  if (size != 0) std::memcpy(blob + sizeof size, text.data(), size);
  block_at_ += need;
  block_left_ -= need;
  return blob;
}

StringId StringPool::insert(uint64_t hash, const char* blob, size_t slot) {
  // More strings have no number.
  if (entries_.size() >= StringId::kNone) throw std::bad_alloc();
  const auto row = static_cast<uint32_t>(entries_.size());
  entries_.push_back(blob);
  slots_[slot] = {tag_of(hash), row};
  return {row};
}

size_t StringPool::probe(uint64_t hash, std::string_view text) const {
  const size_t mask = slots_.size() - 1;
  const uint32_t tag = tag_of(hash);
  size_t slot = home_of(tag, slots_.size());
  while (slots_[slot].row != StringId::kNone &&
         (slots_[slot].hash != tag || get({slots_[slot].row}) != text))
    slot = (slot + 1) & mask;
  return slot;
}

void StringPool::grow(size_t slots) {
  std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
  const size_t mask = slots - 1;
  for (const Slot& kept : old) {
    if (kept.row == StringId::kNone) continue;
    size_t slot = home_of(kept.hash, slots);
    while (slots_[slot].row != StringId::kNone) slot = (slot + 1) & mask;
    slots_[slot] = kept;
  }
}

}  // namespace tracebraid
