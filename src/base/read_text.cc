#include "base/read_text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/descriptor.h"

namespace tracebraid {
namespace {

tl::unexpected<Error> cannot_read(const std::string& name) {
  const ErrorCode code = errno == ENOENT ? ErrorCode::NotFound : ErrorCode::Io;
  return fail(code, fmt::format("cannot read {}: {}", name, std::strerror(errno)));
}

}  // namespace

Result<std::string> read_text(int fd, const std::string& name) {
  std::string text;
  char block[16384];
  ssize_t got = 0;
  do {
    got = ::read(fd, block, sizeof block);
    if (got > 0) text.append(block, static_cast<size_t>(got));
  } while (got > 0 || (got < 0 && errno == EINTR));
  if (got < 0) return cannot_read(name);
  return text;
}

Result<std::string> read_text(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return cannot_read(path);
  return read_text(file.fd(), path);
}

}  // namespace tracebraid
