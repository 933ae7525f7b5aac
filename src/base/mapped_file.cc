#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/descriptor.h"

namespace tracebraid {
namespace {

tl::unexpected<Error> io_error(const std::string& path) {
  const int number = errno;
  const ErrorCode code = number == ENOENT ? ErrorCode::NotFound : ErrorCode::Io;
  return fail(code, "cannot open " + path + ": " + std::strerror(number));
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path, const HostFiles& files) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return io_error(path);
  return map(file.fd(), path, files);
}

Result<MappedFile> MappedFile::map(int fd, const std::string& path, const HostFiles& files) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return io_error(path);
  if (S_ISDIR(status.st_mode))
    return fail(ErrorCode::Io, "cannot open " + path + ": is a directory");
  MappedFile mapped;
  if (status.st_size == 0) return mapped;
  auto watched = std::make_shared<WatchedFile>(path, status);
  const auto size = static_cast<size_t>(status.st_size);
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (at == MAP_FAILED) return io_error(path);
  mapped.at_ = static_cast<const char*>(at);
  mapped.size_ = size;
  if (files.mapping_guard != nullptr) {
    files.mapping_guard->add(mapped.at_, size, watched->unreadable_from);
    mapped.guard_ = files.mapping_guard;
  }
  files.damage->watch(watched);
  mapped.watched_ = std::move(watched);
  mapped.damage_ = files.damage;
  ::madvise(at, size, MADV_SEQUENTIAL);
  return mapped;
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(at_, other.at_);
  std::swap(size_, other.size_);
  std::swap(watched_, other.watched_);
  std::swap(damage_, other.damage_);
  std::swap(guard_, other.guard_);
  return *this;
}

MappedFile::~MappedFile() {
  if (at_ == nullptr) return;
  if (guard_ != nullptr) guard_->remove(at_);
  if (damage_ != nullptr) damage_->forget(*watched_);
  ::munmap(const_cast<char*>(at_), size_);
}

// The kernel may keep a file in large folios, and then maps a whole folio again as soon as one of
// its bytes is read. Therefore the bytes before `part` in the same folio are dropped, too; a reader
// that still uses them faults them in again.
void MappedFile::drop(std::string_view part) const {
  constexpr uintptr_t kLargestFolio = uintptr_t{2} << 20;
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<uintptr_t>(part.data());
  const auto all = reinterpret_cast<uintptr_t>(at_);
  // Bytes that were joined from two blocks are not in the mapping.
  if (part.empty() || first < all || first + part.size() > all + size_) return;
  const uintptr_t begin = std::max(first & ~(kLargestFolio - 1), all);
  const auto end = (first + part.size() + page - 1) & ~(page - 1);
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace tracebraid
