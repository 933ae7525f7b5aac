#include "export/rows/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/signal_mask.h"

namespace tracebraid {

Output::Output(int fd, std::string name) : fd_(fd), name_(std::move(name)) {
  buffer_.reserve(kWriteBytes + kWriteBytes / 4);
}

Output::Output(std::function<bool(std::string_view bytes)> write) : write_(std::move(write)) {
  buffer_.reserve(kWriteBytes + kWriteBytes / 4);
}

void Output::flush() {
  if (write_) {
    if (ok() && !buffer_.empty() && !write_(buffer_)) errno_ = EPIPE;
    buffer_.clear();
    return;
  }
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
