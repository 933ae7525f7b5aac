#include "format/json/document/embedded.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "base/base64.h"
#include "format/common/stats.h"
#include "format/format.h"
#include "format/json/wire/dom.h"
#include "json/member_scan.h"

namespace tracebraid::json {
namespace {

constexpr std::string_view kGzip = "\x1f\x8b\x08";
constexpr std::string_view kGzipInBase64 = "H4sI";
constexpr std::string_view kTraceMembers[] = {"traceEvents", "samples", "systemTraceEvents",
                                              "powerTraceAsString", "androidProcessDump"};

// Joins the elements of an array of strings as lines; nothing for another value.
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

// Returns the bytes of a string that contains a file as text.
std::string bytes_of(std::string text) {
  if (text.starts_with(kGzipInBase64))
    if (std::optional<std::string> bytes = from_base64(text)) return *std::move(bytes);
  return text;
}

// Returns whether an object has a member that makes it a trace (spec json 2.3).
bool has_trace_member(std::string_view object) {
  std::string scratch;
  MemberScan members(object);
  while (members.next())
    if (std::ranges::find(kTraceMembers, text_of(members.key(), scratch)) !=
        std::end(kTraceMembers))
      return true;
  return false;
}

bool is_trace(std::string_view bytes, const std::string& name) {
  return bytes.starts_with(kGzip) || detect({bytes.substr(0, kPeekBytes), name}) != nullptr;
}

// Returns whether JSON has no format of its own and contains no trace.
bool is_data(std::string_view object, const std::string& name) {
  const Format* const format = detect({object.substr(0, kPeekBytes), name});
  return format != nullptr && format->name == "json" && !has_trace_member(object);
}

}  // namespace

bool note_embedded(const std::string& name, std::string json, FileContent& content) {
  if (json.empty() || json == "null" || is_empty_array(json)) return false;
  const bool is_object = json[0] == '{';
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
  if (!is_trace(bytes, name) || (is_object && is_data(bytes, name))) {
    content.tally(stats::embedded_trace_unrecognised);
    return false;
  }
  content.embedded.push_back({name, std::move(bytes)});
  return true;
}

}  // namespace tracebraid::json
