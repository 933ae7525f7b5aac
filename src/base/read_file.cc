#include "base/read_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tracebraid {

Result<std::shared_ptr<const ReadFile>> ReadFile::open(int fd, const std::string& path,
                                                       bool keeps_descriptor,
                                                       const HostFiles& files) {
  const auto failed = [&] {
    return fail(ErrorCode::Io, "cannot open " + path + ": " + std::strerror(errno));
  };
  struct stat status{};
  if (::fstat(fd, &status) != 0) return failed();
  const std::shared_ptr<ReadFile> file(
      new ReadFile(std::make_shared<WatchedFile>(path, status), files.damage));
  if (keeps_descriptor) {
    file->kept_ = Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
    if (!file->kept_) return failed();
  }
  file->damage_->watch(file->watched_);
  return file;
}

ReadFile::~ReadFile() { damage_->forget(*watched_); }

Result<Descriptor> ReadFile::open_again() const {
  const std::string& path = watched_->path;
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!file || ::fstat(file.fd(), &status) != 0)
    return tl::unexpected(damage_->note_unreadable(path, 0, errno));
  if (status.st_ino != watched_->status.st_ino || status.st_dev != watched_->status.st_dev)
    return tl::unexpected(damage_->note(
        {ErrorCode::Io, fmt::format("{}: another file took its name while it was read; read it "
                                    "again",
                                    path)}));
  return file;
}

Result<> ReadFile::Reader::read(uint64_t at, char* into, size_t size) {
  if (!file_->kept_ && !own_) {
    TB_TRY_ASSIGN(own_, file_->open_again());
  }
  const int fd = own_ ? own_.fd() : file_->kept_.fd();
  while (size > 0) {
    const ssize_t got = ::pread(fd, into, size, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    const std::string& path = file_->watched_->path;
    if (got < 0) return tl::unexpected(file_->damage_->note_unreadable(path, at, errno));
    if (got == 0) return tl::unexpected(file_->damage_->note_shrunk(path, file_->size(), at));
    at += static_cast<uint64_t>(got);
    into += got;
    size -= static_cast<size_t>(got);
  }
  return {};
}

}  // namespace tracebraid
