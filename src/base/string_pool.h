// StringPool: each distinct string once, named by a StringId.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/id.h"

namespace tracebraid {

// Views that get() returns stay valid as long as the pool, or the pool that
// adopted it, lives. Not thread-safe: each batch fills its own pool, and merge
// joins them. Strings are at most 4 GiB - 1 bytes; longer ones are cut.
class StringPool {
 public:
  StringPool() = default;
  StringPool(StringPool&&) = default;
  StringPool& operator=(StringPool&&) = default;

  StringId intern(std::string_view text);
  // The id, if the string is here; none otherwise.
  StringId find(std::string_view text) const;
  // `id` must not be none.
  std::string_view get(StringId id) const {
    const char* at = entries_[id.row];
    uint32_t size = 0;
    __builtin_memcpy(&size, at, sizeof size);
    return {at + sizeof size, size};
  }
  uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }

  // Takes all strings of `other`; element i is the id here of its string i.
  // Bytes move with their blocks and are not copied. `other` is empty after.
  std::vector<StringId> adopt(StringPool&& other);

  // Bytes held, for reports of memory use.
  size_t memory() const;

 private:
  friend struct StringsImage;  // tables/image.cc
  struct Slot {
    uint32_t hash = 0;
    uint32_t row = Id<struct StringTag>::kNone;
  };
  const char* store(std::string_view text);
  StringId insert(uint64_t hash, const char* blob, size_t slot);
  // The slot that holds `text`, or the free one where it belongs.
  size_t probe(uint64_t hash, std::string_view text) const;
  void grow(size_t slots);

  std::vector<const char*> entries_;  // each at its 4-byte length, bytes behind it
  std::vector<Slot> slots_;           // open addressing, a power of two
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t block_left_ = 0;
  char* block_at_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace tracebraid
