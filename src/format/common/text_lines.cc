#include "format/common/text_lines.h"

namespace tracebraid {

void read_in_chunks(Input& input, Chunks& chunks,
                    const std::function<void(EventSink&, std::string_view, uint64_t)>& read) {
  constexpr size_t kChunkBytes = size_t{4} << 20;
  size_t carry = 0;  // bytes of a line that continues in the next block
  size_t want = kChunkBytes;
  Block tail;
  const auto run = [&](std::string_view text, uint64_t at, Block block, bool is_done) {
    chunks.run([read, text, at, is_done, &input, block = std::move(block)](EventSink& sink) {
      read(sink, text, at);
      if (is_done) input.done(block);
    });
  };
  while (std::optional<Block> block = input.next(want, carry)) {
    const std::string_view bytes = block->bytes;
    const size_t feed = bytes.rfind('\n');
    const size_t whole = feed == std::string_view::npos ? 0 : feed + 1;
    carry = bytes.size() - whole;
    want = whole == 0 ? bytes.size() : kChunkBytes;  // a long line: doubles the size
    tail = *block;
    tail.bytes = bytes.substr(whole);
    tail.at = block->at + whole;
    if (whole > 0) run(bytes.substr(0, whole), block->at, *std::move(block), true);
  }
  if (!tail.bytes.empty()) run(tail.bytes, tail.at, tail, false);
  chunks.wait();
}

}  // namespace tracebraid
