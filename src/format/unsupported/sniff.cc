#include "format/unsupported/sniff.h"

#include <cstdint>
#include <optional>

namespace tracebraid::unsupported {
namespace {

std::optional<uint64_t> take_varint(std::string_view& bytes) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    value |= uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

}  // namespace

bool is_pprof(std::string_view head) {
  constexpr size_t kLeast = 10;
  constexpr uint64_t kVarint = 0, kBytes = 2, kLastField = 14;
  if (head.size() < kLeast) return false;
  bool has_own_field = false;
  while (!head.empty()) {
    const std::optional<uint64_t> tag = take_varint(head);
    if (!tag) break;  // the head ends in it
    const uint64_t field = *tag >> 3, type = *tag & 7;
    const bool is_number =
        field == 7 || field == 8 || field == 9 || field == 10 || field == 12 || field == 14;
    const bool may_be_packed = field == 13;
    const bool fits = type == (is_number ? kVarint : kBytes) || (may_be_packed && type == kVarint);
    if (field == 0 || field > kLastField || !fits) return false;
    has_own_field |= field >= 2 && field <= 8;
    const std::optional<uint64_t> value = take_varint(head);
    if (!value) break;
    if (type != kBytes) continue;
    if (*value > head.size()) break;
    head.remove_prefix(static_cast<size_t>(*value));
  }
  return has_own_field;
}

bool begins_object(std::string_view head, std::string_view squeezed) {
  for (const char c : head) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    if (squeezed.empty()) return true;
    if (c != squeezed.front()) return false;
    squeezed.remove_prefix(1);
  }
  return squeezed.empty();
}

}  // namespace tracebraid::unsupported
