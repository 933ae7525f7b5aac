// LineIndex: starts and lengths of the events of the lines of one track, packed, with a tree over
// them that answers any level of detail (spec viewer 5.2).
//
//   events   start and length of each, in packed blocks of 64
//   blocks   first start, sum of lengths before, longest event
//   nodes    of 16 blocks, of 256, ...: first start, longest event
//
// In: starts and lengths in order. Out: searches and sums over ranges. Called by timeline/tiles.
// A "length" may be any weight of which tiles want the largest, such as the priority of a log line.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tables/part_sink.h"
#include "timeline/index/bits.h"

namespace tracebraid::timeline {

class LineReader;

// Immutable once all lines are added, then usable by any thread.
class LineIndex {
 public:
  LineIndex() = default;
  LineIndex(LineIndex&&) = default;
  LineIndex& operator=(LineIndex&&) = default;
  static constexpr size_t kBlock = 64, kFanOut = 16;

  // Adds the next line. Requires: starts never fall; as many lengths.
  void add_line(std::span<const int64_t> starts, std::span<const uint64_t> lengths);
  // Call once after the last line.
  void finish();

  size_t lines() const { return lines_.size(); }
  size_t size_of(size_t line) const { return lines_[line].size; }
  size_t events() const { return events_; }
  size_t memory() const;  // bytes, without those of a file

  // Writes the index as one block of bytes, a multiple of 8, in several appends.
  Result<> write(PartSink& sink) const;
  size_t written_size() const;
  // Returns an index that views bytes that write() wrote; nothing if they are malformed: if starts
  // fall, or an event ends behind the start of the next one. `are_lengths` is false for weights.
  // The bytes outlive the index.
  static std::optional<LineIndex> view(std::string_view bytes, bool are_lengths);

 private:
  friend LineReader;
  struct Block {
    int64_t first = 0;
    uint64_t sum_before = 0;  // of the lengths of the line before the block, modulo 2^64
    uint32_t words = 0;       // offset of the starts, then the lengths
    RisingLine line;
    uint8_t start_width = 0, length_width = 0;
    uint8_t longest = 0;  // in the block
    uint8_t has_zeros = 0;
  };
  struct Node {
    int64_t first = 0;
    uint64_t most = 0;     // the largest length
    uint32_t longest = 0;  // the first event of this length, in the line
    uint32_t has_zeros = 0;
  };
  struct Line {
    uint32_t size = 0;  // events
    uint32_t first_block = 0;
    uint32_t first_node = 0;  // nodes of 16 blocks, then nodes of 256, ...
  };
  static size_t blocks_of(size_t events) { return (events + kBlock - 1) / kBlock; }
  // Returns the largest length.
  uint64_t add_block(std::span<const int64_t> starts, std::span<const uint64_t> lengths,
                     uint64_t sum_before);
  // `most` has the largest length of each block.
  void add_nodes(const Line& line, std::span<const uint64_t> most);

  static size_t nodes_of(size_t events);
  // Whether all places that blocks, nodes and lines name are within the index.
  bool is_sound() const;
  bool is_sound(const Line& line) const;
  bool is_in_order(size_t line, bool are_lengths) const;

  struct Arrays {
    std::vector<Line> lines;
    std::vector<Block> blocks;
    std::vector<Node> nodes;
    std::vector<uint64_t> words;
  };
  size_t events_ = 0;
  Arrays owned_;  // empty if the bytes are those of a file
  // Of owned_ once finish() was called.
  std::span<const Line> lines_;
  std::span<const Block> blocks_;
  std::span<const Node> nodes_;
  std::span<const uint64_t> words_;
};

// Reads one line. Keeps blocks that it has unpacked, so that reading in order is fast. For one
// thread.
class LineReader {
 public:
  // A sum over a range of events.
  struct Sum {
    uint64_t total = 0;      // of lengths, modulo 2^64
    uint64_t most = 0;       // the largest length
    size_t longest = 0;      // the first event of this length
    bool has_zeros = false;  // an event has the length 0
  };

  LineReader(const LineIndex& index, size_t line);

  size_t size() const { return size_; }
  int64_t start(size_t event) { return unpacked_starts(event / kBlock)[event % kBlock]; }
  uint64_t length(size_t event) { return unpacked_lengths(event / kBlock)[event % kBlock]; }
  // Returns the first event from `from` on that starts at `time` or later, or size().
  size_t lower_bound(int64_t time, size_t from = 0);
  // Sums up events `from` to `to` - 1. Requires: from < to <= size().
  Sum sum(size_t from, size_t to);

  // Starts and lengths of adjacent events, valid until the next call of the reader.
  struct Chunk {
    std::span<const int64_t> starts;
    std::span<const uint64_t> lengths;
  };
  // Returns `event` and those after it that are packed with it. Requires: event < size().
  Chunk chunk(size_t event);

  // Blocks and nodes that were read, for tests of the cost.
  uint64_t visited() const { return visited_; }

 private:
  static constexpr size_t kBlock = LineIndex::kBlock, kFanOut = LineIndex::kFanOut;
  template <class T>
  struct Unpacked {
    size_t block = ~size_t{0};
    std::array<T, kBlock> values;
  };
  size_t size_of_block(size_t block) const {
    return block + 1 < blocks_ ? kBlock : size_ - block * kBlock;
  }
  const LineIndex::Block& block_at(size_t block) {
    ++visited_;
    return index_.blocks_[line_.first_block + block];
  }
  // First starts of the entries of a level: level 0 has blocks, level 1 nodes of 16 blocks, ...
  int64_t first_of(size_t level, size_t entry);
  size_t entries_of(size_t level) const { return entries_[level]; }
  const LineIndex::Node& node_at(size_t level, size_t entry);
  // Returns the last entry of the level in [low, high) that starts before `time`; low - 1 if none.
  // Requires: low > 0.
  size_t last_before(size_t level, size_t low, size_t high, int64_t time);
  const int64_t* unpacked_starts(size_t block);
  const uint64_t* unpacked_lengths(size_t block);
  void add_events(size_t block, size_t from, size_t to, Sum& sum);
  void add_blocks(size_t from, size_t to, Sum& sum);

  const LineIndex& index_;
  const LineIndex::Line line_;
  const size_t size_, blocks_;
  std::array<size_t, 9> entries_{};      // by level: 16^8 blocks are more than 2^32 events
  std::array<size_t, 9> first_nodes_{};  // by level
  size_t levels_ = 1;
  uint64_t visited_ = 0;
  std::array<Unpacked<int64_t>, 2> starts_;
  std::array<Unpacked<uint64_t>, 2> lengths_;
};

}  // namespace tracebraid::timeline
