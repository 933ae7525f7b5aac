// Lines of text files.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "container/input.h"

namespace tracebraid {

// Calls on_line(line, byte offset, is_complete) for each line, without its end. The last line is
// incomplete if the file does not end with a line feed.
template <class OnLine>
void for_each_line(Input& input, size_t block_bytes, OnLine on_line) {
  size_t again = 0;
  std::optional<Block> last;
  while (std::optional<Block> block = input.next(std::max(block_bytes, 2 * again), again)) {
    if (last) input.done(*last);
    std::string_view rest = block->bytes;
    const auto at = [&] {
      return block->at + static_cast<uint64_t>(rest.data() - block->bytes.data());
    };
    for (size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      std::string_view line = rest.substr(0, end);
      if (line.ends_with('\r')) line.remove_suffix(1);
      on_line(line, at(), true);
      rest.remove_prefix(end + 1);
    }
    again = rest.size();
    last = std::move(block);
  }
  if (again == 0 || !last) return;
  const size_t begin = last->bytes.size() - again;
  on_line(last->bytes.substr(begin), last->at + begin, false);
}

}  // namespace tracebraid
