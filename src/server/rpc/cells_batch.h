// CellsBatch: rows in the form of the message CellsBatch of RPC (spec viewer 4.3, 4.4).
//
// Input: record batches. Output: the message, appended to a text. Called by ResultWriter.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/query.h"

namespace tracebraid::rpc {

// Bytes that grow, without initialising them.
class Bytes {
 public:
  // Makes room for `more` bytes. Returns the place of the first one.
  char* reserve(size_t more) {
    if (capacity_ - size_ < more) grow(more);
    return data_.get() + size_;
  }
  void set_end(const char* end) { size_ = static_cast<size_t>(end - data_.get()); }
  void append(std::string_view bytes);
  void clear() { size_ = 0; }
  size_t size() const { return size_; }
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  void grow(size_t more);
  std::unique_ptr<char[]> data_;
  size_t size_ = 0, capacity_ = 0;
};

class CellsBatch {
 public:
  static constexpr size_t kMostCells = 50'000;
  static constexpr size_t kFullBytes = size_t{128} << 10;  // roughly, as cells are counted

  // Adds rows from `first` on until the batch is full. Returns their number, at least 1. Requires:
  // !is_full(), a row `first`.
  size_t add(const RecordBatch& rows, size_t first);
  // Returns whether the next row of so many cells belongs to the next batch.
  bool is_full(size_t width) const {
    return cells_.size() + width > kMostCells || counted_bytes_ > kFullBytes;
  }
  // Returns the size of the message, up to a few bytes more.
  size_t most_bytes() const;
  // Appends the message. Its doubles lie at a multiple of 8 bytes of the answer, which has
  // `bytes_before` bytes before the text.
  void append_to(std::string& to, uint64_t bytes_before, bool is_last) const;
  void clear();

 private:
  Bytes cells_, varints_, doubles_, strings_, blobs_;
  size_t counted_bytes_ = kEmptyBytes;
  static constexpr size_t kEmptyBytes = 16;
};

}  // namespace tracebraid::rpc
