// PackedRows: an immutable list of row numbers that mostly rise, in about two bytes each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/workers.h"
#include "column/column.h"
#include "tables/part_sink.h"
#include "timeline/index/bits.h"

namespace tracebraid::timeline {

class PackedRows {
 public:
  static constexpr size_t kBlock = 64;

  PackedRows() = default;
  // Packs the rows. The result does not depend on the number of threads.
  PackedRows(std::span<const uint32_t> rows, Workers& workers);

  size_t size() const { return size_; }
  uint32_t operator[](size_t at) const {
    const Block& block = blocks_.data()[at / kBlock];
    return block.value(words_of(block), at % kBlock);
  }
  // Reads rows from `first` on into all of the output.
  void read(size_t first, std::span<uint32_t> rows) const;
  void prefetch(size_t at) const { __builtin_prefetch(blocks_.data() + at / kBlock); }
  size_t memory() const;  // bytes, without those of a file

  // Writes the rows as parts, of which there are parts_of(size()).
  Result<> write(PartSink& sink) const;
  static size_t parts_of(size_t size) { return 1 + (size + kChunk - 1) / kChunk; }
  // Returns rows that view parts that write() wrote; nothing if the parts are malformed, or a row
  // is not below `limit`. The parts outlive the rows.
  static std::optional<PackedRows> view(std::span<const std::string_view> parts, size_t size,
                                        uint32_t limit, Workers& workers);

 private:
  // Chunks are packed by different threads, each into words of its own.
  static constexpr size_t kChunk = size_t{1} << 20;
  struct Block {
    uint32_t first = 0;
    uint32_t words = 0;  // offset in the words of its chunk
    RisingLine line;
    uint8_t width = 0;
    uint8_t padding = 0;
    uint16_t chunk = 0;

    uint32_t value(const uint64_t* fields, size_t at) const {
      const uint64_t distance = unfold_sign(read_field(fields, width, at));
      return static_cast<uint32_t>(first + line.rise(at) + distance);
    }
  };
  const uint64_t* words_of(const Block& block) const {
    return chunks_[block.chunk].data() + block.words;
  }

  size_t size_ = 0;
  // Returns whether the fields of a block are within its chunk.
  bool is_sound(size_t block) const;

  size_t owned_bytes_ = 0;
  Column<Block> blocks_;
  std::vector<Column<uint64_t>> chunks_;
};

}  // namespace tracebraid::timeline
