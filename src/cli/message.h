// Messages for the user, on stderr.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

// Colours on a terminal, unless NO_COLOR is set or the terminal is dumb.
bool use_colour(int fd);

void print_error(std::string_view message);
void print_warning(std::string_view message);
void print_note(std::string_view message);

}  // namespace tracebraid
