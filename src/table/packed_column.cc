#include "table/packed_column.h"

#include <algorithm>

namespace tracebraid {
namespace {

uint32_t bytes_of(uint64_t value) { return static_cast<uint32_t>((std::bit_width(value) + 7) / 8); }

// The widths that a processor packs several of at once.
template <class Width>
void pack_as(const int64_t* values, uint64_t base, char* out) {
  for (size_t i = 0; i < PackedInts::kBlockRows; ++i) {
    const auto distance = static_cast<Width>(static_cast<uint64_t>(values[i]) - base);
    std::memcpy(out + i * sizeof distance, &distance, sizeof distance);
  }
}

}  // namespace

void PackedInts::begin_block() {
  MaybeOwnBytes bytes;
  if (!blocks_.empty()) {
    // The full block's own bytes are free for the next one.
    Block& full = blocks_.back();
    bytes = std::move(full.bytes);
    int64_t values[kBlockRows];
    std::memcpy(values, bytes.get(), sizeof values);
    pack(full, values);
  } else {
    bytes = own_bytes(kBlockRows * sizeof(int64_t) + kSlack);
  }
  blocks_.push_back({.bytes = std::move(bytes)});
}

void PackedInts::pack(Block& block, const int64_t* values) {
  int64_t low = values[0], high = values[0];
  for (size_t i = 1; i < kBlockRows; ++i) {
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
  }
  const auto base = static_cast<uint64_t>(low);
  const uint32_t width = bytes_of(static_cast<uint64_t>(high) - base);
  block.base = base;
  block.width = width;
  block.mask = width == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * width) - 1;
  block.bytes = own_bytes(kBlockRows * width + kSlack);
  switch (width) {
    case 0:
      return;
    case 1:
      return pack_as<uint8_t>(values, base, block.bytes.get());
    case 2:
      return pack_as<uint16_t>(values, base, block.bytes.get());
    case 4:
      return pack_as<uint32_t>(values, base, block.bytes.get());
    default:
      break;
  }
  // Each write reaches into the place of the next value, which comes after.
  char* at = block.bytes.get();
  for (size_t i = 0; i < kBlockRows; ++i, at += width) {
    const uint64_t distance = static_cast<uint64_t>(values[i]) - base;
    std::memcpy(at, &distance, sizeof distance);
  }
}

void PackedInts::widen(Block& block, size_t at, int64_t value) {
  int64_t values[kBlockRows];
  for (size_t i = 0; i < kBlockRows; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, block.bytes.get() + i * block.width, sizeof bits);
    values[i] = static_cast<int64_t>(block.base + (bits & block.mask));
  }
  values[at] = value;
  pack(block, values);
}

size_t PackedInts::memory() const {
  size_t bytes = blocks_.capacity() * sizeof(Block);
  for (const Block& block : blocks_) bytes += kBlockRows * block.width + kSlack;
  return bytes;
}

}  // namespace tracebraid
