#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace tracebraid {

size_t terminal_width(int fd) {
  winsize size = {};
  const bool is_known = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : 80;
}

size_t report_width(bool is_wide) {
  return is_wide || isatty(STDOUT_FILENO) == 0 ? 0 : terminal_width(STDOUT_FILENO);
}

}  // namespace tracebraid
