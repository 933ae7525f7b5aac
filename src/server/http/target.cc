#include "server/http/target.h"

#include "base/hex.h"

namespace tracebraid::http {
namespace {

// Removes the text up to `separator`, and the separator, from `rest` and returns the text.
std::string_view cut(std::string_view& rest, char separator) {
  const size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  return part;
}

}  // namespace

std::optional<std::string> decode_percent(std::string_view text, bool plus_is_space) {
  std::string decoded;
  decoded.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_value(text[i + 1]), low = hex_value(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_space) {
      c = ' ';
    }
    if (c == '\0') return std::nullopt;
    decoded.push_back(c);
  }
  return decoded;
}

std::optional<Target> parse_target(std::string_view target) {
  if (!target.starts_with('/')) return std::nullopt;
  target = target.substr(0, target.find('#'));
  const size_t mark = target.find('?');
  std::string_view path = target.substr(1, mark == target.npos ? mark : mark - 1);
  Target parsed;
  while (!path.empty()) {
    std::optional<std::string> segment = decode_percent(cut(path, '/'), false);
    if (!segment) return std::nullopt;
    parsed.segments.push_back(*std::move(segment));
  }
  std::string_view query = mark == target.npos ? std::string_view() : target.substr(mark + 1);
  while (!query.empty()) {
    std::string_view value = cut(query, '&');
    if (value.empty()) continue;
    std::optional<std::string> name = decode_percent(cut(value, '='), true);
    std::optional<std::string> text = decode_percent(value, true);
    if (!name || !text) return std::nullopt;
    parsed.query.emplace_back(*std::move(name), *std::move(text));
  }
  return parsed;
}

const std::string* Target::find(std::string_view name) const {
  for (const auto& [key, value] : query)
    if (key == name) return &value;
  return nullptr;
}

}  // namespace tracebraid::http
