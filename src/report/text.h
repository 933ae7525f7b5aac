// Text for people: what a terminal can show, and lines of a given width.
#pragma once

#include <string>
#include <string_view>

namespace tracebraid {

// Returns text from an input as it can be shown: control bytes, which could move the
// cursor or colour the screen, become \x1b and the like; line ends and tabs stay.
std::string printable(std::string_view text);

// Returns `text` in lines of at most `width` letters, each line after the first indented by
// `indent`.
std::string wrap(std::string_view text, size_t width, size_t indent);

}  // namespace tracebraid
