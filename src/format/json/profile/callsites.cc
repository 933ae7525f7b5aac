#include "format/json/profile/callsites.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "base/hex.h"
#include "base/words.h"

namespace tracebraid::json {
namespace {

std::optional<uint64_t> address_in(std::string_view text) {
  const std::optional<std::string_view> digits = digits_after_0x(text);
  return digits ? parse_hex(*digits) : std::nullopt;
}

StackFrame frame_of(EventSink& sink, const Dom& item) {
  StackFrame frame;
  std::string_view name = item.is(Kind::String) ? std::string_view(item.text) : item.value.raw;
  std::string hex;
  if (item.is(Kind::Object)) {
    const Dom* const text = item.find("name");
    name = text != nullptr && text->is(Kind::String) ? std::string_view(text->text) : "";
    const Dom* const category = item.find("category");
    if (category != nullptr && category->is(Kind::String))
      frame.mapping = sink.mapping({.name = sink.string(category->text)});
  } else if (item.is(Kind::Number)) {
    if (const std::optional<uint64_t> address = integral_magnitude(item.value.number)) {
      char digits[16];
      const auto end = std::to_chars(digits, digits + sizeof digits, *address, 16).ptr;
      hex = "0x" + std::string(digits, end);
      name = hex;
    }
  }
  if (const std::optional<uint64_t> address = address_in(name))
    frame.rel_pc = static_cast<int64_t>(*address);
  frame.name = sink.string(name);
  return frame;
}

}  // namespace

uint32_t callsite_of(EventSink& sink, const Dom& stack) {
  uint32_t callsite = kNone;
  for (const Dom& item : stack.items)
    if (item.value.is_given()) callsite = sink.callsite(callsite, sink.frame(frame_of(sink, item)));
  return callsite;
}

}  // namespace tracebraid::json
