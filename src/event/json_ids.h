// Ids as text (spec json 3.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

// Returns the number of an id: decimal digits, or 0x and hex digits.
std::optional<uint64_t> id_number(std::string_view text);

// Returns the canonical text of an id, which is the same for equal ids: a number in decimal, or the
// text itself.
std::string canonical_id_text(std::string_view text);

// Returns the number of an id, or a hash of its text.
uint64_t hash_of_id(std::string_view text);
inline uint64_t id_as_number(std::string_view text) {
  const std::optional<uint64_t> number = id_number(text);
  return number ? *number : hash_of_id(text);
}

}  // namespace tracebraid
