// ByteStream: the bytes of a document from front to back, a window at a time.
//
// Input: an Input. Output: windows, blocks and captured values. Called by document/.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "container/input.h"

namespace tracebraid::json {

inline constexpr size_t kUsualBlockBytes = size_t{4} << 20;

class ByteStream {
 public:
  explicit ByteStream(Input& input, size_t block_bytes = kUsualBlockBytes)
      : input_(input), block_bytes_(block_bytes) {}
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  ~ByteStream() { release(); }

  // Returns the size of the blocks that the input is read in.
  size_t block_bytes() const { return block_bytes_; }

  // Returns the next bytes; empty only at the end.
  std::string_view ahead();
  void advance(size_t n) {
    if (record_ != nullptr)
      record_->append(block_.bytes.substr(position_, std::min(n, record_limit_ - record_->size())));
    position_ += n;
  }
  // Appends bytes that advance() skips to `record`, up to `limit` bytes, until called with null.
  void record_to(std::string* record, size_t limit = 0) {
    record_ = record;
    record_limit_ = limit;
  }
  // Returns the offset in the file of the next byte.
  uint64_t offset() const { return block_.at + position_; }
  // Returns the offset of the end of all bytes read so far, by any reader.
  uint64_t end_offset() const { return end_offset_; }

  // Returns the next byte that is not blank, without taking it; nothing at the end.
  std::optional<char> skip_space();
  // Takes `c` if it comes next, after blanks.
  bool take(char c);

  // Takes the next bytes as a block, preceded by `tail`, which must be the end of the block taken
  // before. Returns nothing, and keeps `tail`, at the end.
  std::optional<Block> take_block(const Block& tail);
  // Returns unneeded blocks to the stream: they come next, in this order.
  void give_back(std::deque<Block> blocks);
  // Releases a block that was taken.
  void done(const Block& block) const { input_.done(block); }

 private:
  void release();  // releases the taken bytes of block_

  Input& input_;
  size_t block_bytes_;
  Block block_;
  size_t position_ = 0;  // in block_
  uint64_t end_offset_ = 0;
  std::deque<Block> returned_;
  std::string* record_ = nullptr;
  size_t record_limit_ = 0;
};

// A value as text, for members that are stored.
struct Captured {
  std::string text;       // JSON, truncated at the limit
  bool is_whole = false;  // false if truncated, or the file ended within it
  bool is_ended = false;  // whether its end was found
};

// Takes the next value, without a check of its grammar.
Captured capture(ByteStream& stream, size_t limit);

}  // namespace tracebraid::json
