// Bytes: a run of bytes in memory or in a mapped file, and what keeps it alive.
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
  std::shared_ptr<const MappedFile> mapped{};  // if they are pages of a file
  // Bytes of the input that these were unpacked from, all levels together: what
  // a bomb is measured by. Unlimited while nothing was unpacked.
  uint64_t origin = std::numeric_limits<uint64_t>::max();

  // `offset` must lie in the bytes; a part that runs past their end is cut.
  Bytes part(uint64_t offset, uint64_t size = std::numeric_limits<uint64_t>::max()) const {
    return {view.substr(offset, size), owner, mapped, origin};
  }
};

}  // namespace tracebraid
