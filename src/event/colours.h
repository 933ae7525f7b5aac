// Colours by name and by hash, as in viewers of the Trace Event Format (spec json 9.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebraid {

struct Rgb {
  uint8_t red, green, blue;
};

// Returns the colour of a `cname`; nothing if the name is not reserved.
std::optional<Rgb> reserved_colour(std::string_view name);

// Returns the place of a reserved name in the table of spec json 9.1, read row by row from 0;
// nothing if the name is not reserved.
std::optional<uint32_t> reserved_colour_number(std::string_view name);

// Returns the index in the general palette for a text in UTF-8, and the colour at an index.
uint32_t palette_index(std::string_view text);
Rgb palette_colour(uint32_t index);
inline constexpr uint32_t kPaletteSize = 23;

}  // namespace tracebraid
