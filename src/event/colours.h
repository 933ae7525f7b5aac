// Colours by name and by hash, as viewers of the Trace Event Format draw them
// (spec json 9.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebraid {

struct Rgb {
  uint8_t red, green, blue;
};

// The colour that a `cname` means; nothing if the name is not reserved.
std::optional<Rgb> reserved_colour(std::string_view name);

// Index of the general palette for a text in UTF-8, and the colour there.
uint32_t palette_index(std::string_view text);
Rgb palette_colour(uint32_t index);
inline constexpr uint32_t kPaletteSize = 23;

}  // namespace tracebraid
