#include "cli/shell/pager.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <utility>

namespace tracebraid {

std::string default_pager() {
  const char* const pager = std::getenv("PAGER");
  return pager != nullptr && *pager != '\0' ? pager : "less";
}

Pager::Pager(const std::string& command)
    : command_(command),
      pipe_(popen(("LESS=${LESS-FRSX}; export LESS; " + command).c_str(), "w")) {}

Pager::~Pager() {
  if (pipe_ != nullptr) pclose(pipe_);
}

int Pager::fd() const { return pipe_ == nullptr ? -1 : fileno(pipe_); }

Result<> Pager::wait() {
  constexpr int kNotFound = 127;  // by the shell
  const int status = pipe_ == nullptr ? -1 : pclose(std::exchange(pipe_, nullptr));
  if (status == -1 || (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound))
    return fail(
        ErrorCode::NotFound,
        fmt::format("cannot run the pager {}; choose another with .pager COMMAND", command_));
  return {};
}

}  // namespace tracebraid
