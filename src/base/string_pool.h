// StringPool: stores each distinct string once and names it by a StringId.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/id.h"

namespace tracebraid {

// Views that get() returns stay valid as long as the pool, or the pool that adopted it, lives. Not
// thread-safe: each batch fills its own pool, and merge joins the pools. Strings have at most 4 GiB
// - 1 bytes; longer ones are truncated.
class StringPool {
 public:
  StringPool() = default;
  StringPool(StringPool&&) = default;
  StringPool& operator=(StringPool&&) = default;

  StringId intern(std::string_view text);
  // Returns the id of `text`; none if the pool does not have it.
  StringId find(std::string_view text) const;
  // Requires: `id` is not none.
  std::string_view get(StringId id) const {
    const char* at = entries_[id.row];
    uint32_t size = 0;
    __builtin_memcpy(&size, at, sizeof size);
    return {at + sizeof size, size};
  }
  uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }

  // Takes all strings of `other` and returns their new ids, by old id. Moves blocks without copying
  // bytes. `other` is empty afterwards.
  std::vector<StringId> adopt(StringPool&& other);

  // Returns the bytes held, for reports of memory use.
  size_t memory() const;

 private:
  friend struct StringsImage;  // tables/image.cc
  struct Slot {
    uint32_t hash = 0;
    uint32_t row = Id<struct StringTag>::kNone;
  };
  const char* store(std::string_view text);
  StringId insert(uint64_t hash, const char* blob, size_t slot);
  // Returns the slot that holds `text`, or the free slot for it.
  size_t probe(uint64_t hash, std::string_view text) const;
  void grow(size_t slots);

  std::vector<const char*> entries_;  // each points to a 4-byte length, followed by the bytes
  std::vector<Slot> slots_;           // open addressing; the size is a power of two
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t block_left_ = 0;
  char* block_at_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace tracebraid
