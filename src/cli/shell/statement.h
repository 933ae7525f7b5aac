// Detects the end of SQL that is typed line by line.
#pragma once

#include <string_view>

namespace tracebraid {

// Whether the text ends in a ';' outside of quotes and comments, ignoring spaces and comments after
// it. A text of spaces and comments only is complete.
bool is_complete(std::string_view sql);

// Whether the text has only spaces, comments and ';'.
bool is_blank(std::string_view sql);

}  // namespace tracebraid
