#include "cli/open_browser.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "cli/message.h"

namespace tracebraid {

void open_browser(const std::string& url) {
  const char* const named = std::getenv("BROWSER");
  const std::string program = named != nullptr && *named != '\0' ? named : "xdg-open";
  const pid_t child = ::fork();
  if (child < 0) return print_warning("cannot start the browser; open the address yourself");
  if (child > 0) return;
  // A process of its own session does not end with the terminal.
  ::setsid();
  const int null = ::open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) ::dup2(null, fd);
  ::execlp(program.c_str(), program.c_str(), url.c_str(), nullptr);
  ::_exit(127);
}

}  // namespace tracebraid
