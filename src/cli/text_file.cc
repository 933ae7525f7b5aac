#include "cli/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "export/rows/output.h"

namespace tracebraid {

Result<std::string> read_text_file(const std::string& path) {
  const auto failed = [&] {
    const ErrorCode code = errno == ENOENT ? ErrorCode::NotFound : ErrorCode::Io;
    return fail(code, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  };
  const int fd = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failed();
  std::string text;
  char block[16384];
  ssize_t got = 0;
  do {
    got = ::read(fd, block, sizeof block);
    if (got > 0) text.append(block, static_cast<size_t>(got));
  } while (got > 0 || (got < 0 && errno == EINTR));
  if (got < 0) {
    auto error = failed();
    if (fd != STDIN_FILENO) ::close(fd);
    return error;
  }
  if (fd != STDIN_FILENO) ::close(fd);
  return text;
}

Result<> write_text_file(const std::string& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    return fail(ErrorCode::Io, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  Output out(fd, path);
  out.buffer().append(text);
  out.flush();
  if (::close(fd) != 0 && out.ok())
    return fail(ErrorCode::Io, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  return out.result();
}

}  // namespace tracebraid
