// Text for terminals: escaping, and lines of a given width.
#pragma once

#include <string>
#include <string_view>

namespace tracebraid {

// Returns text of an input with control bytes escaped (\x1b ...), because they could control the
// terminal; keeps line ends and tabs.
std::string printable(std::string_view text);

// Returns `text` in lines of at most `width` columns of a terminal, each line after the first
// indented by `indent`.
std::string wrap(std::string_view text, size_t width, size_t indent);

}  // namespace tracebraid
