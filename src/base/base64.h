// Base64, RFC 4648: bytes written as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

// Whether `c` is one of the 64 digits of the usual alphabet (`+` and `/`).
bool is_base64_digit(char c);

// With padding.
std::string to_base64(std::string_view bytes);

// The bytes that `text` encodes, in either alphabet (`-` and `_` are `+` and `/`). Blanks and line
// ends are skipped; padding may be missing but not be wrong. Nothing if anything else is in it.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace tracebraid
