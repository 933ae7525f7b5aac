#include "base/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "base/descriptor.h"

namespace tracebraid {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;

// Returns the number of bytes read; -1 and errno on failure.
ssize_t read_some(int fd, char* into, size_t size) {
  ssize_t got = 0;
  do {
    got = ::read(fd, into, size);
  } while (got < 0 && errno == EINTR);
  return got;
}

}  // namespace

std::optional<std::string> read_head(const std::string& path, size_t size) {
  // Does not wait for the writer of a pipe.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!file || ::fstat(file.fd(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  std::string head(size, '\0');
  size_t read = 0;
  while (read < size) {
    const ssize_t got = read_some(file.fd(), head.data() + read, size - read);
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    read += static_cast<size_t>(got);
  }
  head.resize(read);
  return head;
}

Result<> for_each_block(const std::string& path,
                        const std::function<Result<>(std::string_view)>& take) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) {
    const int reason = errno;
    return fail(reason == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
                "cannot open " + path + ": " + std::strerror(reason));
  }
  const auto block = std::make_unique_for_overwrite<char[]>(kBlockBytes);
  for (uint64_t at = 0;;) {
    const ssize_t got = read_some(file.fd(), block.get(), kBlockBytes);
    if (got < 0)
      return fail(ErrorCode::Io,
                  fmt::format("{}: cannot read at byte {}: {}", path, at, std::strerror(errno)));
    if (got == 0) return {};
    at += static_cast<uint64_t>(got);
    TB_TRY(take({block.get(), static_cast<size_t>(got)}));
  }
}

Result<std::string> read_file(const std::string& path) {
  std::string bytes;
  TB_TRY(for_each_block(path, [&](std::string_view block) -> Result<> {
    bytes.append(block);
    return {};
  }));
  return bytes;
}

}  // namespace tracebraid
