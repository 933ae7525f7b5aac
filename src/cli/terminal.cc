#include "cli/terminal.h"

#include <sys/ioctl.h>

namespace tracebraid {

size_t terminal_width(int fd) {
  winsize size = {};
  const bool is_known = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : 80;
}

}  // namespace tracebraid
