// UTF-16, in which some Windows tools write JSON.
#pragma once

#include <string>
#include <string_view>

namespace tracebraid::json {

// Whether the bytes begin with the byte order mark of UTF-16.
bool is_utf16(std::string_view bytes);

// Converts to UTF-8; lone surrogates become U+FFFD. Requires: `bytes` begin with the mark.
std::string from_utf16(std::string_view bytes);

}  // namespace tracebraid::json
