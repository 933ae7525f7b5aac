// Base64 (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

// Returns whether `c` is one of the 64 digits of the usual alphabet (`+` and `/`).
bool is_base64_digit(char c);

// Encodes with padding, in the usual alphabet.
std::string to_base64(std::string_view bytes);

// Decodes `text` in either alphabet (`-` and `_` are read as `+` and `/`). Skips blanks and line
// ends. Padding may be missing, but not wrong. Returns nothing if other characters occur.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace tracebraid
