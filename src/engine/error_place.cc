#include "engine/error_place.h"

#include <array>

#include "base/words.h"

namespace tracebraid {

std::string_view code_name(ErrorCode code) {
  static constexpr std::array<std::string_view, 14> kNames = {
      "OK",  "NOT_FOUND", "BAD_INPUT", "BAD_MANIFEST", "UNSUPPORTED", "IO",           "LIMIT",
      "SQL", "USAGE",     "CANCELLED", "TIMEOUT",      "NO_MEMORY",   "TYPE_CHANGED", "INTERNAL"};
  return kNames[static_cast<size_t>(code)];
}

std::optional<int64_t> number_behind(std::string_view text, std::string_view word) {
  const size_t at = text.rfind(word);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + word.size());
  return parse_decimal(text.substr(0, text.find_first_not_of("0123456789")));
}

std::optional<std::string> file_in_message(std::string_view message,
                                           std::span<const std::string> inputs) {
  std::optional<std::string> file;
  for (const std::string& input : inputs) {
    const size_t at = input.empty() ? message.npos : message.find(input);
    if (at == message.npos || (file && file->size() >= input.size())) continue;
    file = input;
    const size_t end = message.find(": ", input.size());
    if (at == 0 && end != message.npos && message[input.size()] == '/')
      file = message.substr(0, end);
  }
  return file;
}

std::optional<int64_t> offset_in_message(std::string_view message) {
  std::optional<int64_t> offset;
  for (const std::string_view word : {" at byte ", " at offset "})
    if (const std::optional<int64_t> at = number_behind(message, word)) offset = at;
  return offset;
}

}  // namespace tracebraid
