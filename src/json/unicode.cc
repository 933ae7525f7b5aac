#include "json/unicode.h"

#include "json/text.h"

namespace tracebraid::json {
namespace {

constexpr std::string_view kLittleEndian = "\xFF\xFE";
constexpr std::string_view kBigEndian = "\xFE\xFF";

}  // namespace

bool is_utf16(std::string_view bytes) {
  return bytes.starts_with(kLittleEndian) || bytes.starts_with(kBigEndian);
}

std::string from_utf16(std::string_view bytes) {
  const size_t high = bytes.starts_with(kBigEndian) ? 0 : 1;  // byte of a unit
  const auto unit = [&](size_t at) {
    return static_cast<uint32_t>(static_cast<unsigned char>(bytes[at + high])) << 8 |
           static_cast<unsigned char>(bytes[at + 1 - high]);
  };
  std::string text;
  text.reserve(bytes.size() / 2);
  for (size_t at = kLittleEndian.size(); at + 1 < bytes.size(); at += 2) {
    const uint32_t first = unit(at);
    const uint32_t second = at + 3 < bytes.size() ? unit(at + 2) : 0;
    const uint32_t code = join_surrogates(first, second);
    if (code > 0xFFFF) at += 2;
    append_utf8(code, text);
  }
  return text;
}

}  // namespace tracebraid::json
