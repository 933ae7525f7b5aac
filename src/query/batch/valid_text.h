// Converts texts to valid UTF-8, which Arrow requires.
#pragma once

#include <string>
#include <string_view>

namespace tracebraid {

bool is_valid_utf8(std::string_view text);
// Replaces each byte that is not part of a character by U+FFFD.
std::string with_valid_utf8(std::string_view text);

}  // namespace tracebraid
