#include "event/align_options.h"

#include <algorithm>

namespace tracebraid {

std::optional<AlignOptions> parse_align(std::string_view text) {
  if (text == "auto") return AlignOptions{};
  if (text == "off") return AlignOptions{.kinds = 0};
  if (text == "verify") return AlignOptions{.places = false};
  AlignOptions options{.kinds = 0};
  for (bool is_last = false; !is_last;) {
    const size_t comma = std::min(text.find(','), text.size());
    is_last = comma == text.size();
    const auto kind = std::ranges::find(kAlignKinds, text.substr(0, comma));
    if (kind == kAlignKinds.end()) return std::nullopt;
    options.kinds |= 1U << static_cast<uint32_t>(kind - kAlignKinds.begin());
    text.remove_prefix(is_last ? comma : comma + 1);
  }
  return options;
}

std::string align_text(const AlignOptions& options) {
  for (const std::string_view name : {"auto", "off", "verify"})
    if (parse_align(name) == options) return std::string(name);
  std::string text;
  for (size_t kind = 0; kind < kAlignKinds.size(); ++kind)
    if (options.has(static_cast<AlignKind>(kind)))
      text.append(text.empty() ? "" : ",").append(kAlignKinds[kind]);
  return text;
}

}  // namespace tracebraid
