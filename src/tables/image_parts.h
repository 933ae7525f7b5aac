// Writers and readers of the parts of an image (tables/image.h), in order.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "column/column.h"
#include "tables/part_sink.h"

namespace tracebraid {

struct StoredBlock {
  uint64_t at;  // number of the part with the values of all blocks
  uint64_t base, slope;
  uint16_t width, has_nulls;
  uint32_t rows;
};

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

class PartWriter {
 public:
  explicit PartWriter(PartSink& parts) : parts_(parts) {}

  Result<> done() const { return failed_; }

  template <class T>
  void values(std::span<const T> all) {
    part(bytes_of(all));
  }
  void append(std::string_view bytes) {
    if (failed_) failed_ = parts_.append(bytes);
  }
  void end() { parts_.end_part(); }
  void part(std::string_view bytes) {
    append(bytes);
    end();
  }

  template <class T>
  void column(const Column<T>& column) {
    values(column.values());
  }
  template <class T>
  void column(const PackedColumn<T>& column) {
    ints(column.ints());
  }
  void column(const SparseColumn& column) {
    values(column.rows());
    values(column.values());
  }

  // Blocks are consecutive, so reading beyond a block reads the next one.
  void ints(const PackedInts& ints) {
    std::vector<StoredBlock> blocks;
    uint64_t at = 0;
    for (size_t i = 0; i < ints.blocks(); ++i) {
      const PackedInts::BlockView block = ints.block(i);
      const size_t rows =
          std::min(PackedInts::kBlockRows, ints.size() - i * PackedInts::kBlockRows);
      blocks.push_back({at, block.base, block.slope, static_cast<uint16_t>(block.width),
                        block.has_nulls, static_cast<uint32_t>(rows)});
      at += PackedInts::packed_bytes(rows, block.width);
    }
    values(std::span<const StoredBlock>(blocks));
    for (size_t i = 0; i < blocks.size(); ++i)
      append({ints.block(i).bytes, PackedInts::packed_bytes(blocks[i].rows, blocks[i].width)});
    part(std::string_view(kNoBytes, PackedInts::kSlack));
  }

 private:
  static constexpr char kNoBytes[PackedInts::kSlack] = {};
  PartSink& parts_;
  Result<> failed_;
};

// Reads the positions of values; the values are read with the rows.
enum class Read : uint8_t { Here, Later };

class PartReader {
 public:
  PartReader(std::span<const std::string_view> parts, const std::function<bool(size_t)>& is_whole)
      : parts_(parts), is_whole_(is_whole) {}

  bool ok() const { return ok_; }
  bool is_at_end() const { return next_ == parts_.size(); }
  size_t next() const { return next_; }
  void fail() { ok_ = false; }

  std::string_view part(Read when) {
    ok_ = ok_ && next_ < parts_.size() && (when == Read::Later || is_whole_(next_));
    return ok_ ? parts_[next_++] : std::string_view();
  }
  template <class T>
  std::span<const T> values(Read when) {
    const std::string_view bytes = part(when);
    const bool fits = bytes.size() % sizeof(T) == 0 &&
                      reinterpret_cast<uintptr_t>(bytes.data()) % alignof(T) == 0;
    ok_ &= fits;
    if (!fits) return {};
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  template <class T>
  void column(Column<T>& column) {
    column.view(values<T>(Read::Later));
  }
  template <class T>
  void column(PackedColumn<T>& column) {
    ints(column.ints());
  }
  void column(SparseColumn& column) {
    const auto rows = values<uint32_t>(Read::Later);
    const auto numbers = values<int64_t>(Read::Later);
    ok_ &= rows.size() == numbers.size();
    column.view(rows, numbers);
  }

  void ints(PackedInts& ints) {
    const auto blocks = values<StoredBlock>(Read::Here);
    const std::string_view bytes = part(Read::Later);
    ok_ &= bytes.size() >= PackedInts::kSlack;
    for (size_t i = 0; i < blocks.size() && ok_; ++i) {
      const StoredBlock& block = blocks[i];
      const bool is_last = i + 1 == blocks.size();
      ok_ &= PackedInts::is_width(block.width) && block.rows <= PackedInts::kBlockRows &&
             block.rows != 0 && (is_last || block.rows == PackedInts::kBlockRows) &&
             block.at <= bytes.size() &&
             bytes.size() - block.at >=
                 PackedInts::packed_bytes(block.rows, block.width) + PackedInts::kSlack;
      if (ok_)
        ints.append_view(
            {bytes.data() + block.at, block.base, block.slope, block.width, block.has_nulls != 0},
            block.rows);
    }
  }

 private:
  std::span<const std::string_view> parts_;
  const std::function<bool(size_t)>& is_whole_;
  size_t next_ = 0;
  bool ok_ = true;
};

// Called before the rows of a table are read.
using Checks = std::vector<std::function<bool()>>;

}  // namespace tracebraid
