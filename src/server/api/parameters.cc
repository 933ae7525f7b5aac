#include "server/api/parameters.h"

#include <fmt/format.h>

#include <optional>

#include "base/words.h"

namespace tracebraid::api {

Result<int64_t> number_parameter(const Call& call, std::string_view name, int64_t otherwise,
                                 int64_t low, int64_t high) {
  const std::string* const text = call.find(name);
  if (text == nullptr) return otherwise;
  const std::optional<int64_t> number = parse_decimal(*text);
  if (!number || *number < low || *number > high)
    return fail(ErrorCode::Usage,
                fmt::format("{}: must be a number from {} to {}", name, low, high));
  return *number;
}

std::string text_parameter(const Call& call, std::string_view name) {
  const std::string* const text = call.find(name);
  return text == nullptr ? std::string() : *text;
}

}  // namespace tracebraid::api
