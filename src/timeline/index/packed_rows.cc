#include "timeline/index/packed_rows.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <type_traits>
#include <utility>

#include "timeline/index/stored_values.h"

namespace tracebraid::timeline {

PackedRows::PackedRows(std::span<const uint32_t> rows, Workers& workers)
    : size_(rows.size()), chunks_((rows.size() + kChunk - 1) / kChunk) {
  std::vector<Block> blocks((rows.size() + kBlock - 1) / kBlock);
  workers.run(chunks_.size(), [&](size_t chunk) {
    std::vector<uint64_t> words;
    const size_t end = std::min(rows.size(), (chunk + 1) * kChunk);
    for (size_t at = chunk * kChunk; at < end; at += kBlock) {
      const std::span<const uint32_t> some = rows.subspan(at, std::min(kBlock, end - at));
      Block& block = blocks[at / kBlock];
      block = {.first = some.front(),
               .words = static_cast<uint32_t>(words.size()),
               .chunk = static_cast<uint16_t>(chunk)};
      // A block with the rows of two lines falls where the second one begins.
      if (some.back() > some.front())
        block.line = RisingLine::through(some.back() - some.front(), some.size());
      std::array<uint64_t, kBlock> distances;
      uint64_t most = 0;
      for (size_t i = 0; i < some.size(); ++i) {
        distances[i] = fold_sign(uint64_t{some[i]} - some.front() - block.line.rise(i));
        most |= distances[i];
      }
      block.width = static_cast<uint8_t>(field_width(most));
      append_fields(distances.data(), some.size(), block.width, words);
    }
    words.push_back(0);  // read_field() reads a word further
    words.shrink_to_fit();
    chunks_[chunk].take(std::move(words));
  });
  owned_bytes_ = blocks.capacity() * sizeof(Block);
  for (const Column<uint64_t>& chunk : chunks_) owned_bytes_ += chunk.size() * sizeof(uint64_t);
  blocks_.take(std::move(blocks));
}

Result<> PackedRows::write(PartSink& sink) const {
  static_assert(std::has_unique_object_representations_v<Block>);
  TB_TRY(append_part(sink, blocks_.values()));
  for (const Column<uint64_t>& chunk : chunks_) TB_TRY(append_part(sink, chunk.values()));
  return {};
}

bool PackedRows::is_sound(size_t number) const {
  const Block& block = blocks_.data()[number];
  const size_t count = std::min(kBlock, size_ - number * kBlock);
  return block.chunk == number * kBlock / kChunk && is_field_width(block.width) &&
         block.line.is_sound() &&
         block.words + (count * block.width + 63) / 64 < chunks_[block.chunk].size();
}

std::optional<PackedRows> PackedRows::view(std::span<const std::string_view> parts, size_t size,
                                           uint32_t limit, Workers& workers) {
  if (parts.size() != parts_of(size)) return std::nullopt;
  PackedRows rows;
  rows.size_ = size;
  if (!view_part(parts[0], rows.blocks_) || rows.blocks_.size() != (size + kBlock - 1) / kBlock)
    return std::nullopt;
  rows.chunks_.resize(parts.size() - 1);
  for (size_t chunk = 0; chunk < rows.chunks_.size(); ++chunk)
    if (!view_part(parts[1 + chunk], rows.chunks_[chunk])) return std::nullopt;
  std::atomic<bool> is_sound = true;
  workers.run(rows.chunks_.size(), [&](size_t chunk) {
    std::array<uint32_t, kBlock> some;
    const size_t end = std::min(size, (chunk + 1) * kChunk);
    for (size_t at = chunk * kChunk; at < end && is_sound; at += kBlock) {
      const auto read = std::span(some).first(std::min(kBlock, end - at));
      if (!rows.is_sound(at / kBlock)) {
        is_sound = false;
        return;
      }
      rows.read(at, read);
      uint32_t most = 0;
      for (const uint32_t row : read) most = std::max(most, row);
      if (most >= limit) is_sound = false;
    }
  });
  if (!is_sound) return std::nullopt;
  return rows;
}

void PackedRows::read(size_t first, std::span<uint32_t> rows) const {
  for (size_t done = 0; done < rows.size();) {
    const size_t at = first + done;
    const Block& block = blocks_.data()[at / kBlock];
    const uint64_t* const fields = words_of(block);
    const size_t count = std::min(kBlock - at % kBlock, rows.size() - done);
    for (size_t i = 0; i < count; ++i) rows[done + i] = block.value(fields, at % kBlock + i);
    done += count;
  }
}

size_t PackedRows::memory() const { return owned_bytes_; }

}  // namespace tracebraid::timeline
