#include "base/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "base/signal_mask.h"

namespace tracebraid {
namespace {

tl::unexpected<Error> write_error(const std::string& path, int reason) {
  return fail(ErrorCode::Io, fmt::format("cannot write {}: {}", path, std::strerror(reason)));
}

}  // namespace

bool UnfinishedFiles::empty() const {
  const std::lock_guard lock(mutex_);
  return first_ == nullptr;
}

void UnfinishedFiles::remove_all() const {
  const std::lock_guard lock(mutex_);
  for (const Entry* at = first_; at != nullptr; at = at->next) ::unlink(at->path.c_str());
}

void UnfinishedFiles::add(Entry& entry) {
  const std::lock_guard lock(mutex_);
  entry.next = std::exchange(first_, &entry);
  if (entry.next != nullptr) entry.next->before = &entry;
}

void UnfinishedFiles::forget(const Entry& entry) {
  const std::lock_guard lock(mutex_);
  (entry.before != nullptr ? entry.before->next : first_) = entry.next;
  if (entry.next != nullptr) entry.next->before = entry.before;
}

Result<NewFile> NewFile::create(const std::string& path, const HostFiles& files) {
  TB_TRY(check_no_input(path, *files.inputs));
  NewFile made;
  made.path_ = path;
  made.damage_ = files.damage;
  made.unfinished_ = files.unfinished_files;
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

// A name that exists belongs to another NewFile of this process, or was left behind by a killed
// process with the same id.
Result<> NewFile::open_temporary() {
  constexpr int kMostNames = 10'000;
  int reason = EEXIST;
  for (int number = 0; number < kMostNames && reason == EEXIST; ++number) {
    entry_ = std::make_unique<UnfinishedFiles::Entry>();
    entry_->path = fmt::format("{}.{}.{}.tmp", path_, ::getpid(), number);
    file_ = Descriptor(::open(entry_->path.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0666));
    if (file_) {
      if (unfinished_ != nullptr) unfinished_->add(*entry_);
      return {};
    }
    reason = errno;
  }
  entry_.reset();
  return write_error(path_, reason);
}

NewFile::~NewFile() {
  if (entry_) ::unlink(entry_->path.c_str());
  forget_entry();
}

void NewFile::forget_entry() {
  if (entry_ && unfinished_ != nullptr) unfinished_->forget(*entry_);
  entry_.reset();
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
  // The output may contain bytes that could not be read.
  if (std::optional<Error> damage = damage_->find()) return tl::unexpected(*std::move(damage));
  TB_TRY(close());
  if (!entry_) return {};
  if (::rename(entry_->path.c_str(), path_.c_str()) != 0) return write_error(path_, errno);
  forget_entry();
  return {};
}

}  // namespace tracebraid
