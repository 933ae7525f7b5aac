// Texts as Arrow wants them: UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace tracebraid {

bool is_valid_utf8(std::string_view text);
// With U+FFFD for each byte that is not part of a character.
std::string with_valid_utf8(std::string_view text);

}  // namespace tracebraid
