#include "format/unsupported/sniff.h"

#include <algorithm>
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

bool is_plain_text(std::string_view head) {
  return std::ranges::none_of(head, [](char c) {
    return static_cast<uint8_t>(c) < ' ' && c != '\t' && c != '\n' && c != '\r';
  });
}

}  // namespace

bool is_pprof(std::string_view head) {
  constexpr size_t kLeast = 10;
  constexpr uint64_t kVarint = 0, kBytes = 2, kLastField = 14;
  if (head.size() < kLeast || is_plain_text(head)) return false;
  bool has_own_field = false;
  while (!head.empty()) {
    const std::optional<uint64_t> tag = take_varint(head);
    if (!tag) break;  // the head ends within it
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

bool is_part_of_instruments_trace(std::string_view name) {
  constexpr std::string_view kFolder = ".trace/";
  constexpr std::string_view kParts[] = {"corespace/",   "instrument_data/",
                                         "shared_data/", "form.template",
                                         "open.creq",    "UI_state_metadata.bin"};
  const size_t folder = name.find(kFolder);
  if (folder == std::string_view::npos) return false;
  const std::string_view part = name.substr(folder + kFolder.size());
  const bool is_run = part.starts_with("Trace") && part.find(".run/") != std::string_view::npos;
  return is_run || std::ranges::any_of(kParts, [&](auto known) { return part.starts_with(known); });
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
