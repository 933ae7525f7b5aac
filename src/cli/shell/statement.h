// Where SQL that is typed line by line ends.
#pragma once

#include <string_view>

namespace tracebraid {

// The text ends in a ';' that is outside quotes and comments, maybe followed by
// spaces and comments. A text of only those is complete, too.
bool is_complete(std::string_view sql);

// Only spaces, comments and ';'.
bool is_blank(std::string_view sql);

}  // namespace tracebraid
