#include "format/json/profile/hex_values.h"

#include <limits>
#include <string_view>

#include "base/hex.h"
#include "base/words.h"

namespace tracebraid::json {
std::optional<uint64_t> hex_number(const Dom& value) {
  return value.is(Kind::String) ? parse_hex(without_0x(value.text)) : std::nullopt;
}

std::optional<int64_t> hex_amount(const Dom& value) {
  const std::optional<uint64_t> number = hex_number(value);
  if (!number || *number > uint64_t{std::numeric_limits<int64_t>::max()}) return std::nullopt;
  return static_cast<int64_t>(*number);
}

}  // namespace tracebraid::json
