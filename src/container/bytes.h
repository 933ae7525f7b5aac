// Bytes: a range of bytes in memory or in a mapped file, and its owner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>

namespace tracebraid {

class MappedFile;

struct Bytes {
  std::string_view view;
  std::shared_ptr<const void> owner{};         // null: the caller keeps them alive
  std::shared_ptr<const MappedFile> mapped{};  // set if the bytes are pages of a file
  // Number of input bytes that these bytes were unpacked from, over all levels; the ratio to it
  // detects decompression bombs. Unlimited for bytes that were not unpacked.
  uint64_t origin = std::numeric_limits<uint64_t>::max();

  // Requires: `offset` lies in the bytes. A range beyond their end is truncated.
  Bytes part(uint64_t offset, uint64_t size = std::numeric_limits<uint64_t>::max()) const {
    return {view.substr(offset, size), owner, mapped, origin};
  }
};

}  // namespace tracebraid
