// PackedColumn<T>: a column of integers in as few bits as its values need.
//
// Rows are stored in blocks of kBlockRows. Once kWaiting further blocks are full, a block is
// packed: its values become distances from a line, in the same number of bits each. The line is
// constant at the smallest value, or leads from the first to the last value if they increase. A
// NULL (-1) among large values has the distance 0 and does not influence the line. A later write
// that does not fit widens the block. Increasing times, references and durations take one to three
// bytes instead of eight.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "base/string_pool.h"
#include "column/null.h"

namespace tracebraid {

// Owned bytes, or a view of a mapped file, which must outlive it.
struct FreeOwnBytes {
  bool owns = true;
  void operator()(char* bytes) const {
    if (owns) delete[] bytes;
  }
};
using MaybeOwnBytes = std::unique_ptr<char[], FreeOwnBytes>;
inline MaybeOwnBytes own_bytes(size_t size) {
  return MaybeOwnBytes(std::make_unique_for_overwrite<char[]>(size).release());
}
inline MaybeOwnBytes view_bytes(const char* bytes) {
  return {const_cast<char*>(bytes), FreeOwnBytes{.owns = false}};
}

class PackedInts {
 public:
  static constexpr size_t kBlockRows = 1024;
  static constexpr size_t kSlack = 8;         // readable bytes after the values of a block
  static constexpr unsigned kSlopeBits = 10;  // fractional bits of a slope

  PackedInts() = default;
  PackedInts(PackedInts&& from) noexcept { *this = std::move(from); }
  PackedInts& operator=(PackedInts&& from) noexcept {
    blocks_ = std::exchange(from.blocks_, {});
    full_rows_ = std::exchange(from.full_rows_, 0);
    open_ = std::exchange(from.open_, nullptr);
    next_ = std::exchange(from.next_, nullptr);
    end_ = std::exchange(from.end_, nullptr);
    return *this;
  }

  void append(int64_t value) {
    if (next_ == end_) begin_block();
    std::memcpy(next_, &value, sizeof value);
    next_ += sizeof value;
  }
  void append_repeated(int64_t value, size_t count);
  size_t size() const { return full_rows_ + static_cast<size_t>(next_ - open_) / sizeof(int64_t); }
  int64_t operator[](size_t row) const { return blocks_[row / kBlockRows].value(row % kBlockRows); }
  // Reads rows from `first` on into all of the output.
  void read(size_t first, std::span<int64_t> values) const;
  // O(1), except when the block has to be widened.
  void set(size_t row, int64_t value) {
    Block& block = blocks_[row / kBlockRows];
    const size_t at = row % kBlockRows;
    uint64_t distance = static_cast<uint64_t>(value) - block.line(at);
    const bool is_null = block.nulls != 0 && value == -1;
    if (is_null) distance = 0;
    if (distance > block.mask || (distance == 0 && block.nulls != 0 && !is_null)) {
      widen(block, at, value);
      return;
    }
    uint64_t bits = 0;
    std::memcpy(&bits, block.place(at), sizeof bits);
    bits = (bits & ~(block.mask << block.shift(at))) | distance << block.shift(at);
    std::memcpy(block.place(at), &bits, sizeof bits);
  }
  void prefetch(size_t row) const {
    __builtin_prefetch(blocks_[row / kBlockRows].place(row % kBlockRows));
  }
  // Returns an upper limit of the values of the block, not necessarily the smallest.
  int64_t none_above(size_t block) const;
  // Returns the bytes in memory, for reports.
  size_t memory() const;

  // A stored block, for files. All blocks but the last have kBlockRows rows.
  struct BlockView {
    const char* bytes;  // packed_bytes(rows, width), and kSlack more
    uint64_t base;
    uint64_t slope;
    uint32_t width;  // bits: one of is_width()
    bool has_nulls;  // the distance 0 is -1
  };
  static constexpr bool is_width(uint32_t bits) { return bits <= kMaxWidth || bits == 64; }
  static constexpr size_t packed_bytes(size_t rows, uint32_t width) {
    return (rows * width + 7) / 8;
  }
  size_t blocks() const { return blocks_.size(); }
  BlockView block(size_t index) const {
    const Block& block = blocks_[index];
    return {block.bytes.get(), block.base, block.slope, block.width, block.nulls != 0};
  }
  // Adds `rows` rows in memory that must outlive the column. The column is read-only from then on.
  void append_view(const BlockView& block, size_t rows) {
    blocks_.push_back({.bytes = view_bytes(block.bytes),
                       .base = block.base,
                       .slope = block.slope,
                       .mask = mask_of(block.width),
                       .width = block.width,
                       .nulls = block.has_nulls ? -1 : 0});
    full_rows_ += rows;
  }

 private:
  static_assert(std::endian::native == std::endian::little);
  static constexpr uint32_t kMaxWidth = 57;  // bits that 8 bytes contain at any bit offset
  // The number of full blocks that wait before packing, because rows are mostly written soon after
  // they were added.
  static constexpr size_t kWaiting = 8;

  static int64_t value_at(size_t at, const char* bytes, uint64_t base, uint64_t slope,
                          uint64_t mask, uint32_t width, int64_t nulls) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes + at * width / 8, sizeof bits);
    bits = bits >> at * width % 8 & mask;
    const auto value = static_cast<int64_t>(base + (slope * at >> kSlopeBits) + bits);
    return bits == 0 ? value | nulls : value;
  }
  struct Block {          // before packing: 64 bits per value
    MaybeOwnBytes bytes;  // kSlack more than the values take: they are read 8 at a time
    uint64_t base = 0;    // of the line, as two's complement
    uint64_t slope = 0;   // its rise from row to row, with kSlopeBits
    uint64_t mask = ~uint64_t{0};
    uint32_t width = 64;  // bits
    int32_t nulls = 0;    // -1: the distance 0 is -1, else 0

    char* place(size_t at) const { return bytes.get() + at * width / 8; }
    unsigned shift(size_t at) const { return static_cast<unsigned>(at * width % 8); }
    uint64_t line(size_t at) const { return base + (slope * at >> kSlopeBits); }
    int64_t value(size_t at) const {
      return value_at(at, bytes.get(), base, slope, mask, width, nulls);
    }
  };

  static constexpr uint64_t mask_of(uint32_t width) {
    return width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  }
  void begin_block();
  // Packs with `spare` more bits than the values need.
  static void pack(Block& block, const char* values, uint32_t spare);
  static void widen(Block& block, size_t at, int64_t value);

  std::vector<Block> blocks_;
  size_t full_rows_ = 0;  // rows of the blocks before the one being filled
  // The block being filled, if any: its first value, the next position, its end.
  char *open_ = nullptr, *next_ = nullptr, *end_ = nullptr;
};

// Converts a cell type to an integer and back. NULL is -1, which is close to small values.
template <class T>
struct PackedCell {
  static int64_t pack(T value) { return static_cast<int64_t>(value); }
  static T unpack(int64_t bits) { return static_cast<T>(bits); }
};
template <>
struct PackedCell<OptRow> {
  static int64_t pack(OptRow value) {
    return value.row == OptRow::kNull ? -1 : static_cast<int64_t>(value.row);
  }
  static OptRow unpack(int64_t bits) { return {static_cast<uint32_t>(bits)}; }
};
template <>
struct PackedCell<StringId> {
  static int64_t pack(StringId value) { return value ? static_cast<int64_t>(value.row) : -1; }
  static StringId unpack(int64_t bits) { return {static_cast<uint32_t>(bits)}; }
};

// The interface of Column<T>, except that at(row) is a proxy for assignment only.
template <class T>
class PackedColumn {
 public:
  class Place {
   public:
    void operator=(T value) const { ints_.set(row_, PackedCell<T>::pack(value)); }

   private:
    friend PackedColumn;
    Place(PackedInts& ints, size_t row) : ints_(ints), row_(row) {}
    PackedInts& ints_;
    size_t row_;
  };

  void append(T value) { ints_.append(PackedCell<T>::pack(value)); }
  // Appends rows up to this number.
  void fill_up_to(size_t rows, T value) {
    if (rows > size()) ints_.append_repeated(PackedCell<T>::pack(value), rows - size());
  }
  size_t size() const { return ints_.size(); }
  T operator[](size_t row) const { return PackedCell<T>::unpack(ints_[row]); }
  Place at(size_t row) { return {ints_, row}; }
  auto values() const {
    return std::views::iota(size_t{0}, size()) |
           std::views::transform([this](size_t row) { return (*this)[row]; });
  }
  const PackedInts& ints() const { return ints_; }
  PackedInts& ints() { return ints_; }

 private:
  PackedInts ints_;
};

}  // namespace tracebraid
