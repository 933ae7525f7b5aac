// Messages for the person, on stderr.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

// Colours on a terminal, unless NO_COLOR is set or the terminal is dumb.
bool use_colour(int fd);

// Text from an input as it can be shown: control bytes, which could move the
// cursor or colour the screen, become \x1b and the like; line ends and tabs stay.
std::string printable(std::string_view text);

void print_error(std::string_view message);
void print_warning(std::string_view message);
void print_note(std::string_view message);

}  // namespace tracebraid
