#include "cli/message.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "engine/text.h"

namespace tracebraid {
namespace {

void print(std::string_view colour, std::string_view kind, std::string_view message) {
  const bool coloured = use_colour(STDERR_FILENO);
  const std::string line = fmt::format("tracebraid: {}{}{}: {}\n", coloured ? colour : "", kind,
                                       coloured ? "\x1b[0m" : "", printable(message));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

bool use_colour(int fd) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  if (no_color != nullptr && *no_color != '\0') return false;
  if (term == nullptr || std::string_view(term) == "dumb") return false;
  return isatty(fd) == 1;
}

void print_error(std::string_view message) { print("\x1b[1;31m", "error", message); }
void print_warning(std::string_view message) { print("\x1b[1;33m", "warning", message); }
void print_note(std::string_view message) { print("\x1b[1;36m", "note", message); }

}  // namespace tracebraid
