#include "format/json/embedded.h"

#include <optional>
#include <string_view>
#include <utility>

#include "base/base64.h"
#include "format/json/dom.h"

namespace tracebraid::json {
namespace {

constexpr std::string_view kGzip = "\x1f\x8b\x08";
constexpr std::string_view kGzipInBase64 = "H4sI";

// The elements of an array of strings as lines; nothing if it is something else.
std::optional<std::string> joined_lines(std::string_view json) {
  Dom list;
  Repairs ignored;
  if (parse_dom(json, {}, ignored, list) != Parse::Ok || !list.is(Kind::Array) ||
      list.items.empty())
    return std::nullopt;
  std::string lines;
  for (const Dom& item : list.items) {
    if (!item.is(Kind::String)) return std::nullopt;
    if (&item != &list.items.front()) lines += '\n';
    lines += item.text;
  }
  return lines;
}

bool is_empty_array(std::string_view json) {
  return json.starts_with('[') && json.find_first_not_of(" \t\r\n", 1) == json.size() - 1;
}

// A string that holds a file as text.
std::string bytes_of(std::string text) {
  if (text.starts_with(kGzipInBase64))
    if (std::optional<std::string> bytes = from_base64(text)) return *std::move(bytes);
  return text;
}

bool is_trace(std::string_view bytes, const std::string& name) {
  return bytes.starts_with(kGzip) || detect({bytes.substr(0, kPeekBytes), name}) != nullptr;
}

}  // namespace

bool note_embedded(const std::string& name, std::string json, FileContent& content) {
  if (json.empty() || json == "null" || is_empty_array(json)) return false;
  std::string bytes;
  if (json[0] == '"') {
    std::string text;
    decode(std::string_view(json).substr(1, json.size() - (json.ends_with('"') ? 2 : 1)), text);
    if (text.empty()) return false;
    bytes = bytes_of(std::move(text));
  } else if (std::optional<std::string> lines =
                 json[0] == '[' ? joined_lines(json) : std::nullopt) {
    bytes = bytes_of(*std::move(lines));
  } else if (json[0] == '[' || json[0] == '{') {
    bytes = std::move(json);
  }
  if (!is_trace(bytes, name)) {
    content.tally(Stat::embedded_trace_unrecognised);
    return false;
  }
  content.embedded.push_back({name, std::move(bytes)});
  return true;
}

}  // namespace tracebraid::json
