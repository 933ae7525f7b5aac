// UTF-16: some tools on Windows write JSON in it.
#pragma once

#include <string>
#include <string_view>

namespace tracebraid::json {

// Whether the bytes begin with the byte order mark of UTF-16.
bool is_utf16(std::string_view bytes);

// As UTF-8; lone surrogates become U+FFFD. `bytes` begin with the mark.
std::string from_utf16(std::string_view bytes);

}  // namespace tracebraid::json
