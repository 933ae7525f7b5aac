#include "table/packed_column.h"

#include <algorithm>

namespace tracebraid {
namespace {

uint32_t bytes_of(uint64_t value) { return static_cast<uint32_t>((std::bit_width(value) + 7) / 8); }

constexpr size_t kRows = PackedInts::kBlockRows;

int64_t value_at(const char* values, size_t row) {
  int64_t value = 0;
  std::memcpy(&value, values + row * sizeof value, sizeof value);
  return value;
}

struct Range {
  int64_t low, high;
};

// What a compiler makes several lanes of: inlined into code for the plain processor and for
// those with wider registers.
[[gnu::always_inline]] inline Range range_of_values(const char* values) {
  int64_t low = value_at(values, 0), high = low;
  for (size_t i = 1; i < kRows; ++i) {
    const int64_t value = value_at(values, i);
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  return {low, high};
}

template <class Width>
[[gnu::always_inline]] inline void narrow_values(const char* values, uint64_t base, char* out) {
  for (size_t i = 0; i < kRows; ++i) {
    const auto distance = static_cast<Width>(static_cast<uint64_t>(value_at(values, i)) - base);
    std::memcpy(out + i * sizeof distance, &distance, sizeof distance);
  }
}

[[gnu::always_inline]] inline void narrow_to(uint32_t width, const char* values, uint64_t base,
                                             char* out) {
  switch (width) {
    case 1:
      return narrow_values<uint8_t>(values, base, out);
    case 2:
      return narrow_values<uint16_t>(values, base, out);
    case 4:
      return narrow_values<uint32_t>(values, base, out);
    default:
      break;
  }
  // Each write reaches into the place of the next value, which comes after.
  for (size_t i = 0; i < kRows; ++i, out += width) {
    const uint64_t distance = static_cast<uint64_t>(value_at(values, i)) - base;
    std::memcpy(out, &distance, sizeof distance);
  }
}

struct Loops {
  Range (*range)(const char* values);
  void (*narrow)(uint32_t width, const char* values, uint64_t base, char* out);
};

constexpr Loops kPlain{[](const char* values) { return range_of_values(values); },
                       [](uint32_t width, const char* values, uint64_t base, char* out) {
                         narrow_to(width, values, base, out);
                       }};

#if defined(__x86_64__)
[[gnu::target("avx2")]] Range wide_range(const char* values) { return range_of_values(values); }
[[gnu::target("avx2")]] void wide_narrow(uint32_t width, const char* values, uint64_t base,
                                         char* out) {
  narrow_to(width, values, base, out);
}

const Loops& loops() {
  static const Loops found =
      __builtin_cpu_supports("avx2") ? Loops{wide_range, wide_narrow} : kPlain;
  return found;
}
#else
const Loops& loops() { return kPlain; }
#endif

// Most columns have long stretches of one value: NULL, or one name.
bool is_one_value(const char* values) {
  const int64_t first = value_at(values, 0);
  if (value_at(values, kRows - 1) != first || value_at(values, kRows / 2) != first) return false;
  int64_t differs = 0;
  for (size_t i = 0; i < kRows; ++i) differs |= value_at(values, i) ^ first;
  return differs == 0;
}

}  // namespace

void PackedInts::begin_block() {
  constexpr size_t kBytes = kBlockRows * sizeof(int64_t);
  MaybeOwnBytes bytes;
  if (open_ != nullptr) {
    // The full block's own bytes are free for the next one.
    Block& full = blocks_.back();
    bytes = std::move(full.bytes);
    pack(full, bytes.get());
    full_rows_ += kBlockRows;
  } else {
    bytes = own_bytes(kBytes + kSlack);
  }
  open_ = next_ = bytes.get();
  end_ = open_ + kBytes;
  blocks_.push_back({.bytes = std::move(bytes)});
}

void PackedInts::pack(Block& block, const char* values) {
  const bool is_one = is_one_value(values);
  const Range range =
      is_one ? Range{value_at(values, 0), value_at(values, 0)} : loops().range(values);
  block.base = static_cast<uint64_t>(range.low);
  block.width = bytes_of(static_cast<uint64_t>(range.high) - block.base);
  block.mask = block.width == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * block.width) - 1;
  block.bytes = own_bytes(kBlockRows * block.width + kSlack);
  if (block.width > 0) loops().narrow(block.width, values, block.base, block.bytes.get());
}

void PackedInts::widen(Block& block, size_t at, int64_t value) {
  char values[kBlockRows * sizeof(int64_t)];
  for (size_t i = 0; i < kBlockRows; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, block.bytes.get() + i * block.width, sizeof bits);
    const uint64_t was = block.base + (bits & block.mask);
    std::memcpy(values + i * sizeof was, &was, sizeof was);
  }
  std::memcpy(values + at * sizeof value, &value, sizeof value);
  pack(block, values);
}

size_t PackedInts::memory() const {
  size_t bytes = blocks_.capacity() * sizeof(Block);
  for (const Block& block : blocks_) bytes += kBlockRows * block.width + kSlack;
  return bytes;
}

}  // namespace tracebraid
