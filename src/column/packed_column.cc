#include "column/packed_column.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace tracebraid {
namespace {

constexpr size_t kRows = PackedInts::kBlockRows;
constexpr unsigned kSlopeBits = PackedInts::kSlopeBits;
constexpr size_t kBlockBytes = kRows * sizeof(int64_t);

using Values = std::array<uint64_t, kRows>;  // the values of a block, as two's complement

struct Range {
  int64_t low, high;
  uint64_t spread() const { return static_cast<uint64_t>(high) - static_cast<uint64_t>(low); }
};

struct Line {
  uint64_t base = 0;
  uint64_t slope = 0;
  uint64_t most = 0;  // the largest distance from the line
  bool has_nulls = false;
};

// Loops that compilers vectorise: inlined into functions for the baseline processor and for AVX2.
[[gnu::always_inline]] inline Range range_of(const Values& values) {
  int64_t low = static_cast<int64_t>(values[0]), high = low;
  for (const uint64_t bits : values) {
    const auto value = static_cast<int64_t>(bits);
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  return {low, high};
}

// Subtracts a line that starts at zero.
[[gnu::always_inline]] inline void flatten(Values& values, uint64_t slope) {
  uint64_t rise = 0;
  for (uint64_t& value : values) {
    value -= rise >> kSlopeBits;
    rise += slope;
  }
}

// Replaces the values by distances from a line and returns the line.
[[gnu::always_inline]] inline Line subtract_line(Values& values) {
  Range range = range_of(values);
  Line line;
  const bool rises = values.front() == static_cast<uint64_t>(range.low) &&
                     values.back() == static_cast<uint64_t>(range.high) &&
                     range.spread() >= kRows / 2 && range.spread() < uint64_t{1} << 50;
  if (rises) {
    const uint64_t slope = (range.spread() << kSlopeBits) / (kRows - 1);
    Values flat = values;
    flatten(flat, slope);
    const Range around = range_of(flat);
    if (around.spread() < range.spread()) {
      values = flat;
      range = around;
      line.slope = slope;
    }
  }
  line.base = static_cast<uint64_t>(range.low);
  line.most = range.spread();
  for (uint64_t& value : values) value -= line.base;
  return line;
}

// Takes distances from -1, where NULL is 0. Keeps 0 and replaces the other values by their
// distances from a line of their own, plus 1. Returns nothing and changes nothing if this takes no
// fewer bits than `most`, the largest distance.
std::optional<Line> subtract_line_beside_nulls(Values& values, uint64_t most) {
  const auto is_value = [](uint64_t value) { return value != 0; };
  const size_t first = static_cast<size_t>(std::ranges::find_if(values, is_value) - values.begin());
  size_t last = kRows - 1;
  while (last > first && values[last] == 0) --last;
  const uint64_t rise = values[last] - values[first];
  const bool rises =
      values[last] > values[first] && rise >= (last - first) / 2 && rise < uint64_t{1} << 50;
  Line line{.has_nulls = true};
  if (rises) line.slope = (rise << kSlopeBits) / (last - first);
  Range range{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
  Values flat = values;
  flatten(flat, line.slope);
  for (size_t i = 0; i < kRows; ++i) {
    if (values[i] == 0) continue;
    const auto value = static_cast<int64_t>(flat[i]);
    range = {std::min(range.low, value), std::max(range.high, value)};
  }
  const uint64_t below = static_cast<uint64_t>(range.low) - 1;
  line.base = below - 1;  // relative to the values, not to their distances from -1
  line.most = range.spread() + 1;
  if (std::bit_width(line.most) >= std::bit_width(most)) return std::nullopt;
  for (size_t i = 0; i < kRows; ++i) values[i] = values[i] == 0 ? 0 : flat[i] - below;
  return line;
}

// Joins pairs of values into one of twice the width.
[[gnu::always_inline]] inline void join_pairs(const uint64_t* __restrict from,
                                              uint64_t* __restrict to, size_t pairs,
                                              unsigned width) {
  for (size_t i = 0; i < pairs; ++i) to[i] = from[2 * i] | from[2 * i + 1] << width;
}

[[gnu::always_inline]] inline void write_bits(Values& values, unsigned width, char* out) {
  Values other;
  uint64_t *from = values.data(), *to = other.data();
  size_t count = kRows;
  for (; width <= 32; width *= 2) {
    count /= 2;
    join_pairs(from, to, count, width);
    std::swap(from, to);
  }
  if (width == 64) {
    std::memcpy(out, from, count * sizeof *from);
    return;
  }
  uint64_t bits = 0;
  unsigned filled = 0;
  for (size_t i = 0; i < count; ++i) {
    bits |= from[i] << filled;
    filled += width;
    if (filled < 64) continue;
    std::memcpy(out, &bits, sizeof bits);
    out += sizeof bits;
    filled -= 64;
    bits = filled == 0 ? 0 : from[i] >> (width - filled);
  }
  std::memcpy(out, &bits, (filled + 7) / 8);
}

struct Loops {
  Line (*subtract_line)(Values& values);
  void (*write_bits)(Values& values, unsigned width, char* out);
};

constexpr Loops kPlain{
    [](Values& values) { return subtract_line(values); },
    [](Values& values, unsigned width, char* out) { write_bits(values, width, out); }};

#if defined(__x86_64__)
[[gnu::target("avx2")]] Line subtract_line_wide(Values& values) { return subtract_line(values); }
[[gnu::target("avx2")]] void write_bits_wide(Values& values, unsigned width, char* out) {
  write_bits(values, width, out);
}

const Loops& loops() {
  static const Loops found =
      __builtin_cpu_supports("avx2") ? Loops{subtract_line_wide, write_bits_wide} : kPlain;
  return found;
}
#else
const Loops& loops() { return kPlain; }
#endif

// Many blocks contain one value only: NULL, or one name.
bool is_one_value(const Values& values) {
  const uint64_t first = values[0];
  if (values[kRows - 1] != first || values[kRows / 2] != first) return false;
  uint64_t differs = 0;
  for (const uint64_t value : values) differs |= value ^ first;
  return differs == 0;
}

// Whether -1 is the smallest value, and far enough from the others for
// subtract_line_beside_nulls().
bool may_be_null(const Line& line) {
  return line.base == ~uint64_t{0} && line.slope == 0 && line.most >= kRows / 2;
}

}  // namespace

void PackedInts::begin_block() {
  MaybeOwnBytes bytes;
  if (blocks_.size() > kWaiting) {
    // A packed block leaves its unpacked bytes to the next one.
    Block& full = blocks_[blocks_.size() - 1 - kWaiting];
    bytes = std::move(full.bytes);
    pack(full, bytes.get(), 0);
  } else {
    bytes = own_bytes(kBlockBytes + kSlack);
  }
  if (open_ != nullptr) full_rows_ += kBlockRows;
  open_ = next_ = bytes.get();
  end_ = open_ + kBlockBytes;
  blocks_.push_back({.bytes = std::move(bytes)});
}

void PackedInts::append_repeated(int64_t value, size_t count) {
  while (count > 0) {
    if (next_ == end_) begin_block();
    const size_t rows = std::min(count, static_cast<size_t>(end_ - next_) / sizeof value);
    for (size_t i = 0; i < rows; ++i, next_ += sizeof value)
      std::memcpy(next_, &value, sizeof value);
    count -= rows;
  }
}

void PackedInts::pack(Block& block, const char* values, uint32_t spare) {
  Values all;
  std::memcpy(all.data(), values, sizeof all);
  const bool is_one = is_one_value(all);
  Line line = is_one ? Line{.base = all[0]} : loops().subtract_line(all);
  if (may_be_null(line)) line = subtract_line_beside_nulls(all, line.most).value_or(line);
  block.nulls = line.has_nulls ? -1 : 0;
  block.base = line.base;
  block.slope = line.slope;
  block.width = static_cast<uint32_t>(std::bit_width(line.most)) + spare;
  if (block.width > kMaxWidth) block.width = 64;
  block.mask = mask_of(block.width);
  block.bytes = own_bytes(packed_bytes(kBlockRows, block.width) + kSlack);
  if (block.width > 0) loops().write_bits(all, block.width, block.bytes.get());
}

void PackedInts::widen(Block& block, size_t at, int64_t value) {
  constexpr uint32_t kSpare = 2;  // for later writes
  Values values;
  for (size_t i = 0; i < kBlockRows; ++i) values[i] = static_cast<uint64_t>(block.value(i));
  values[at] = static_cast<uint64_t>(value);
  pack(block, reinterpret_cast<const char*>(values.data()), kSpare);
}

void PackedInts::read(size_t first, std::span<int64_t> values) const {
  while (!values.empty()) {
    const Block& block = blocks_[first / kBlockRows];
    const size_t begin = first % kBlockRows, count = std::min(values.size(), kBlockRows - begin);
    // Local copies, because the compiler must assume that writes alias the block.
    const char* const bytes = block.bytes.get();
    const uint64_t base = block.base, slope = block.slope, mask = block.mask;
    const uint32_t width = block.width;
    const int64_t nulls = block.nulls;
    if (nulls == 0) {
      for (size_t i = 0; i < count; ++i)
        values[i] = value_at(begin + i, bytes, base, slope, mask, width, 0);
    } else {
      for (size_t i = 0; i < count; ++i)
        values[i] = value_at(begin + i, bytes, base, slope, mask, width, nulls);
    }
    first += count;
    values = values.subspan(count);
  }
}

int64_t PackedInts::none_above(size_t block) const {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const Block& of = blocks_[block];
  if (of.width == 64) return kMost;
  const uint64_t room = static_cast<uint64_t>(kMost) - of.base;  // base may be negative
  const uint64_t above = of.line(kBlockRows - 1) - of.base + of.mask;
  return above > room ? kMost : static_cast<int64_t>(of.base + above);
}

size_t PackedInts::memory() const {
  size_t bytes = blocks_.capacity() * sizeof(Block);
  for (const Block& block : blocks_) bytes += packed_bytes(kBlockRows, block.width) + kSlack;
  return bytes;
}

}  // namespace tracebraid
