// Columns that characters take on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tracebraid {

// Returns the columns of valid UTF-8 on a terminal: two for wide characters, none for combining
// marks.
size_t shown_width(std::string_view text);

// Appends `text` if it takes at most `width` columns, else its beginning and an ellipsis. Requires:
// valid UTF-8; `width` is at least 1.
void append_cut(std::string& to, std::string_view text, size_t width);

}  // namespace tracebraid
