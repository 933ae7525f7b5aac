#include "base/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>

#include "base/damaged_file.h"
#include "base/signal_mask.h"

namespace tracebraid {
namespace {

tl::unexpected<Error> write_error(const std::string& path, int reason) {
  return fail(ErrorCode::Io, fmt::format("cannot write {}: {}", path, std::strerror(reason)));
}

}  // namespace

std::mutex NewFile::mutex;
NewFile::Temporary* NewFile::first = nullptr;

Result<NewFile> NewFile::create(const std::string& path) {
  NewFile made;
  made.path_ = path;
  struct stat status{};
  const bool is_special = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  if (!is_special) {
    TB_TRY(made.open_temporary());
    return made;
  }
  made.file_ = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!made.file_) return write_error(path, errno);
  return made;
}

// A name that is taken belongs to another NewFile of this process, or was left behind by a process
// that had the same id and was killed.
Result<> NewFile::open_temporary() {
  constexpr int kMostNames = 10'000;
  int reason = EEXIST;
  for (int number = 0; number < kMostNames && reason == EEXIST; ++number) {
    auto temporary =
        std::make_unique<Temporary>(fmt::format("{}.{}.{}.tmp", path_, ::getpid(), number));
    file_ =
        Descriptor(::open(temporary->path.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0666));
    if (file_) {
      temporary_ = std::move(temporary);
      note(*temporary_);
      return {};
    }
    reason = errno;
  }
  return write_error(path_, reason);
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      file_(std::move(other.file_)) {}

NewFile::~NewFile() {
  if (temporary_) ::unlink(temporary_->path.c_str());
  done();
}

void NewFile::note(Temporary& temporary) {
  const std::lock_guard lock(mutex);
  temporary.next = std::exchange(first, &temporary);
  if (temporary.next != nullptr) temporary.next->before = &temporary;
}

void NewFile::forget(const Temporary& temporary) {
  const std::lock_guard lock(mutex);
  (temporary.before != nullptr ? temporary.before->next : first) = temporary.next;
  if (temporary.next != nullptr) temporary.next->before = temporary.before;
}

void NewFile::done() {
  if (temporary_) forget(*temporary_);
  temporary_.reset();
}

bool has_unfinished_files() {
  const std::lock_guard lock(NewFile::mutex);
  return NewFile::first != nullptr;
}

void remove_unfinished_files() {
  const std::lock_guard lock(NewFile::mutex);
  for (const NewFile::Temporary* at = NewFile::first; at != nullptr; at = at->next)
    ::unlink(at->path.c_str());
}

Result<> NewFile::write(std::string_view bytes) {
  const BlockedPipeSignal blocked;
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd(), bytes.data(), bytes.size());
    if (written >= 0)
      bytes.remove_prefix(static_cast<size_t>(written));
    else if (errno != EINTR)
      return write_error(path_, errno);
  }
  return {};
}

Result<> NewFile::close() {
  if (file_ && !file_.close()) return write_error(path_, errno);
  return {};
}

Result<> NewFile::finish() {
  // What was written may be made of what could not be read.
  if (std::optional<Error> damage = damaged_file()) return tl::unexpected(*std::move(damage));
  TB_TRY(close());
  if (!temporary_) return {};
  if (::rename(temporary_->path.c_str(), path_.c_str()) != 0) return write_error(path_, errno);
  done();
  return {};
}

}  // namespace tracebraid
