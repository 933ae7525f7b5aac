// Shortening of UTF-8 text.
#pragma once

#include <cstddef>
#include <string_view>

namespace tracebraid {

// Returns the first `most` bytes of a text, or fewer where these would end within a code point.
inline std::string_view cut_text(std::string_view text, size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most);
}

}  // namespace tracebraid
