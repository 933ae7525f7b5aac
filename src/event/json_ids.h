// Ids as text (spec json 3.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

// The number that an id's text stands for: decimal digits, or 0x and hex digits.
std::optional<uint64_t> id_number(std::string_view text);

// The same text for ids that are equal: a number in decimal, or the text itself.
std::string canonical_id_text(std::string_view text);

}  // namespace tracebraid
