#include "export/rows/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/signal_mask.h"

namespace tracebraid {

Output::Output(int fd, std::string name) : fd_(fd), name_(std::move(name)) {
  buffer_.reserve(kWriteBytes + kWriteBytes / 4);
}

void Output::flush() {
  const BlockedPipeSignal blocked;
  for (std::string_view left = buffer_; !left.empty() && ok();) {
    const ssize_t written = ::write(fd_, left.data(), left.size());
    if (written >= 0)
      left.remove_prefix(static_cast<size_t>(written));
    else if (errno != EINTR)
      errno_ = errno;
  }
  buffer_.clear();
}

Result<> Output::result() const {
  if (errno_ == 0 || errno_ == EPIPE) return {};
  return fail(ErrorCode::Io, fmt::format("cannot write {}: {}", name_, std::strerror(errno_)));
}

}  // namespace tracebraid
