#include "format/json/profile/hex_values.h"

#include <limits>
#include <string_view>

#include "base/words.h"

namespace tracebraid::json {
std::optional<uint64_t> hex_number(const Dom& value) {
  std::string_view text = value.is(Kind::String) ? std::string_view(value.text) : "";
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  return parse_hex(text);
}

std::optional<int64_t> hex_amount(const Dom& value) {
  const std::optional<uint64_t> number = hex_number(value);
  if (!number || *number > uint64_t{std::numeric_limits<int64_t>::max()}) return std::nullopt;
  return static_cast<int64_t>(*number);
}

}  // namespace tracebraid::json
