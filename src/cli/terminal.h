// The terminal that a descriptor writes to.
#pragma once

#include <cstddef>

namespace tracebraid {

// Returns the columns of the terminal; 80 if they are unknown.
size_t terminal_width(int fd);

}  // namespace tracebraid
