// Messages for the user, on stderr.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

// Returns whether `fd` is a terminal that shows colours: NO_COLOR is not set, and TERM is not
// "dumb".
bool use_colour(int fd);

void print_error(std::string_view message);
void print_warning(std::string_view message);
void print_note(std::string_view message);

}  // namespace tracebraid
