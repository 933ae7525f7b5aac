#include "event/json_ids.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <charconv>

namespace tracebraid {
namespace {

std::optional<uint64_t> parse_uint(std::string_view text, int base) {
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc() || at != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<uint64_t> id_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    return parse_uint(text.substr(2), 16);
  return parse_uint(text, 10);
}

std::string canonical_id_text(std::string_view text) {
  const std::optional<uint64_t> number = id_number(text);
  return number ? std::to_string(*number) : std::string(text);
}

uint64_t hash_of_id(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

}  // namespace tracebraid
