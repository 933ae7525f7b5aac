// Base64, as it stands in strings of a trace.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tracebraid::json {

// Whether `c` is one of the 64 digits.
bool is_base64_digit(char c);

// The bytes that `text` encodes; blanks and line feeds in it are skipped, padding
// may be missing. Nothing if anything else is in it.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace tracebraid::json
