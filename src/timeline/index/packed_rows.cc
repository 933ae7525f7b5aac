#include "timeline/index/packed_rows.h"

#include <algorithm>
#include <array>

namespace tracebraid::timeline {

PackedRows::PackedRows(std::span<const uint32_t> rows, Workers& workers)
    : size_(rows.size()),
      blocks_((rows.size() + kBlock - 1) / kBlock),
      chunks_((rows.size() + kChunk - 1) / kChunk) {
  workers.run(chunks_.size(), [&](size_t chunk) {
    std::vector<uint64_t> words;
    const size_t end = std::min(rows.size(), (chunk + 1) * kChunk);
    for (size_t at = chunk * kChunk; at < end; at += kBlock) {
      const std::span<const uint32_t> some = rows.subspan(at, std::min(kBlock, end - at));
      Block& block = blocks_[at / kBlock];
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
    chunks_[chunk] = std::move(words);
  });
}

void PackedRows::read(size_t first, std::span<uint32_t> rows) const {
  for (size_t done = 0; done < rows.size();) {
    const size_t at = first + done;
    const Block& block = blocks_[at / kBlock];
    const uint64_t* const fields = words_of(block);
    const size_t count = std::min(kBlock - at % kBlock, rows.size() - done);
    for (size_t i = 0; i < count; ++i) rows[done + i] = block.value(fields, at % kBlock + i);
    done += count;
  }
}

size_t PackedRows::memory() const {
  size_t bytes = blocks_.capacity() * sizeof(Block);
  for (const std::vector<uint64_t>& words : chunks_) bytes += words.capacity() * sizeof(uint64_t);
  return bytes;
}

}  // namespace tracebraid::timeline
