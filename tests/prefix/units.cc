#include "tests/prefix/units.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace tracebraid {
namespace {

using Ends = std::vector<size_t>;

constexpr std::array<std::pair<std::string_view, UnitKind>, 14> kKinds{{
    {"json", UnitKind::Elements},
    {"systrace", UnitKind::Lines},
    {"android_logcat", UnitKind::Lines},
    {"android_dumpstate", UnitKind::Lines},
    {"battor", UnitKind::Lines},
    {"collapsed_stack", UnitKind::Lines},
    {"instruments_text", UnitKind::Lines},
    {"ninja_log", UnitKind::Lines},
    {"perf_text", UnitKind::Lines},
    {"strace", UnitKind::Lines},
    {"proto", UnitKind::Packets},
    {"symbols", UnitKind::Packets},
    {"fuchsia", UnitKind::Records},
    {"gzip", UnitKind::Streams},
}};

bool is_html(std::string_view bytes) {
  std::string head(bytes.substr(0, 64));
  for (char& c : head) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return head.find("<!doctype") != head.npos || head.find("<html") != head.npos;
}

UnitKind kind_of(std::string_view bytes, std::string_view type) {
  const auto* const found = std::ranges::find(kKinds, type, &decltype(kKinds)::value_type::first);
  UnitKind kind = found == kKinds.end() ? UnitKind::Document : found->second;
  if (type == "systrace" && is_html(bytes)) kind = UnitKind::Document;
  return kind;
}

Ends ends_of_lines(std::string_view bytes) {
  Ends ends;
  for (size_t at = bytes.find('\n'); at != bytes.npos; at = bytes.find('\n', at + 1))
    ends.push_back(at + 1);
  return ends;
}

// Returns the ends of documents, and in a document that is an array, of its `[` and each value,
// including the commas and blanks after them.
Ends ends_of_elements(std::string_view bytes) {
  Ends ends;
  size_t depth = 0;
  bool in_text = false;
  bool in_array = false;
  for (size_t at = 0; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (in_text) {
      if (c == '\\') ++at;
      in_text = c != '"';
      continue;
    }
    in_text = c == '"';
    const bool closes = c == '}' || c == ']';
    if (depth == 0 && (c == '{' || c == '[')) in_array = c == '[';
    if (c == '{' || c == '[') ++depth;
    if (closes && depth > 0) --depth;
    const bool is_between = depth == 0 || (depth == 1 && in_array);
    const bool is_space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!is_between) continue;
    if (closes || c == '[' || c == ',' || (is_space && !ends.empty() && ends.back() == at))
      ends.push_back(at + 1);
  }
  return ends;
}

// Decodes a number in base 128; moves `at` past it. Returns false at the end of the bytes.
bool take_varint(std::string_view bytes, size_t& at, uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    value |= uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

Ends ends_of_packets(std::string_view bytes) {
  Ends ends;
  for (size_t at = 0; at < bytes.size();) {
    uint64_t tag = 0;
    uint64_t size = 0;
    if (!take_varint(bytes, at, tag)) break;
    switch (tag & 7) {
      case 0:
        if (!take_varint(bytes, at, size)) return ends;
        size = 0;
        break;
      case 1:
        size = 8;
        break;
      case 2:
        if (!take_varint(bytes, at, size)) return ends;
        break;
      case 5:
        size = 4;
        break;
      default:
        return ends;
    }
    if (size > bytes.size() - at) break;
    at += size;
    ends.push_back(at);
  }
  return ends;
}

Ends ends_of_records(std::string_view bytes) {
  Ends ends;
  constexpr uint64_t kLarge = 15;
  for (size_t at = 0; bytes.size() - at >= sizeof(uint64_t);) {
    uint64_t head = 0;
    std::memcpy(&head, bytes.data() + at, sizeof(head));
    const uint64_t words = (head & 15) == kLarge ? head >> 4 & 0xFFFF'FFFF : head >> 4 & 0xFFF;
    if (words == 0 || words > (bytes.size() - at) / sizeof(uint64_t)) break;
    at += words * sizeof(uint64_t);
    ends.push_back(at);
  }
  return ends;
}

Ends ends_of_streams(std::string_view bytes) {
  Ends ends;
  std::array<unsigned char, 4096> out{};
  for (size_t at = 0; at < bytes.size();) {
    z_stream stream{};
    if (inflateInit2(&stream, MAX_WBITS | 16) != Z_OK) break;
    stream.avail_in = static_cast<uInt>(bytes.size() - at);
    // zlib does not write to its input.
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data() + at));
    int state = Z_OK;
    while (state == Z_OK) {
      stream.next_out = out.data();
      stream.avail_out = out.size();
      state = inflate(&stream, Z_NO_FLUSH);
    }
    at = bytes.size() - stream.avail_in;
    inflateEnd(&stream);
    if (state != Z_STREAM_END) break;
    ends.push_back(at);
  }
  return ends;
}

}  // namespace

Units units_of(std::string_view bytes, std::string_view type) {
  Units units{.kind = kind_of(bytes, type)};
  switch (units.kind) {
    case UnitKind::Document:
      break;
    case UnitKind::Elements:
      units.ends = ends_of_elements(bytes);
      break;
    case UnitKind::Lines:
      units.ends = ends_of_lines(bytes);
      break;
    case UnitKind::Packets:
      units.ends = ends_of_packets(bytes);
      break;
    case UnitKind::Records:
      units.ends = ends_of_records(bytes);
      break;
    case UnitKind::Streams:
      units.ends = ends_of_streams(bytes);
      break;
  }
  units.ends.insert(units.ends.begin(), 0);
  if (units.ends.back() != bytes.size()) units.ends.push_back(bytes.size());
  return units;
}

size_t end_before(const Units& units, size_t offset) {
  return *std::prev(std::ranges::upper_bound(units.ends, offset));
}

size_t end_behind(const Units& units, size_t offset) {
  return *std::ranges::lower_bound(units.ends, offset);
}

}  // namespace tracebraid
