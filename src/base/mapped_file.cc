#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tracebraid {
namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

tl::unexpected<Error> io_error(const std::string& path) {
  const int number = errno;
  const ErrorCode code = number == ENOENT ? ErrorCode::NotFound : ErrorCode::Io;
  return fail(code, "cannot open " + path + ": " + std::strerror(number));
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) return io_error(path);
  return map(file.fd, path);
}

Result<MappedFile> MappedFile::map(int fd, const std::string& path) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return io_error(path);
  if (S_ISDIR(status.st_mode))
    return fail(ErrorCode::Io, "cannot open " + path + ": is a directory");
  MappedFile mapped;
  mapped.size_ = static_cast<size_t>(status.st_size);
  if (mapped.size_ == 0) return mapped;
  void* at = ::mmap(nullptr, mapped.size_, PROT_READ, MAP_PRIVATE, fd, 0);
  if (at == MAP_FAILED) {
    mapped.size_ = 0;
    return io_error(path);
  }
  mapped.at_ = static_cast<const char*>(at);
  ::madvise(at, mapped.size_, MADV_SEQUENTIAL);
  return mapped;
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(at_, other.at_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (at_ != nullptr) ::munmap(const_cast<char*>(at_), size_);
}

void MappedFile::drop(std::string_view part) const {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<uintptr_t>(part.data()) + page - 1) & ~(page - 1);
  const auto end = (reinterpret_cast<uintptr_t>(part.data()) + part.size()) & ~(page - 1);
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace tracebraid
