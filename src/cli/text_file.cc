#include "cli/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/read_text.h"
#include "engine/rows.h"

namespace tracebraid {

Result<std::string> read_text_file(const std::string& path) {
  return path == "-" ? read_text(STDIN_FILENO, path) : read_text(path);
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

Result<> print(std::string_view text) {
  Output out(STDOUT_FILENO, "standard output");
  out.buffer().append(text);
  out.flush();
  return out.result();
}

}  // namespace tracebraid
