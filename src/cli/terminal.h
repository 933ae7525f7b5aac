// The terminal that a descriptor writes to.
#pragma once

#include <cstddef>

namespace tracebraid {

// Returns the columns of the terminal; 80 if they are unknown.
size_t terminal_width(int fd);

// Returns the width that a report on standard output should fit; 0 if it is no terminal, or if the
// user asked for whole lines.
size_t report_width(bool is_wide);

}  // namespace tracebraid
