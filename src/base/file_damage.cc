#include "base/file_damage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tracebraid {
namespace {

int64_t nanoseconds(const timespec& time) {
  constexpr int64_t kSecond = 1'000'000'000;
  return int64_t{time.tv_sec} * kSecond + time.tv_nsec;
}

struct Change {
  off_t size_then, size_now;
  bool was_written;
};

// Returns what happened to the file since it was opened. Another file that took its name does not
// change the file that was opened.
Change change_of(const WatchedFile& file) {
  const off_t then = file.status.st_size;
  struct stat now{};
  if (::stat(file.path.c_str(), &now) != 0 || now.st_ino != file.status.st_ino ||
      now.st_dev != file.status.st_dev)
    return {then, then, false};
  return {then, now.st_size, nanoseconds(now.st_mtim) != nanoseconds(file.status.st_mtim)};
}

constexpr std::string_view kCopy = "; copy it when nothing writes to it, and read the copy";

Error shrunk(const std::string& path, uint64_t then, uint64_t now) {
  return {ErrorCode::Io, fmt::format("{}: the file shrank from {} to {} bytes while it was read{}",
                                     path, then, now, kCopy)};
}

Error unreadable(const std::string& path, uint64_t at, int reason) {
  return {ErrorCode::Io, fmt::format("{}: cannot read at byte {}: {}; the disk or the connection "
                                     "to it fails: try again, or read another copy",
                                     path, at, std::strerror(reason))};
}

std::optional<Error> damage_of(const WatchedFile& file) {
  const Change change = change_of(file);
  if (change.size_now < change.size_then)
    return shrunk(file.path, static_cast<uint64_t>(change.size_then),
                  static_cast<uint64_t>(change.size_now));
  if (file.unreadable_from != WatchedFile::kAllReadable)
    return unreadable(file.path, file.unreadable_from, EIO);
  if (change.was_written && change.size_now == change.size_then)
    return Error{ErrorCode::Io,
                 fmt::format("{}: the file was written to while it was read{}", file.path, kCopy)};
  return std::nullopt;
}

}  // namespace

std::optional<Error> FileDamage::find() const {
  const std::lock_guard lock(mutex_);
  for (const std::shared_ptr<const WatchedFile>& file : watched_)
    if (std::optional<Error> damage = damage_of(*file)) return damage;
  return noted_;
}

Error FileDamage::note(Error error) {
  const std::lock_guard lock(mutex_);
  if (!noted_) noted_ = std::move(error);
  return *noted_;
}

Error FileDamage::note_unreadable(const std::string& path, uint64_t at, int reason) {
  return note(unreadable(path, at, reason));
}

Error FileDamage::note_shrunk(const std::string& path, uint64_t then, uint64_t now) {
  return note(shrunk(path, then, now));
}

std::vector<std::string> FileDamage::grown_files() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> paths;
  for (const std::shared_ptr<const WatchedFile>& file : watched_)
    if (const Change change = change_of(*file); change.size_now > change.size_then)
      paths.push_back(file->path);
  return paths;
}

void FileDamage::watch(std::shared_ptr<const WatchedFile> file) {
  const std::lock_guard lock(mutex_);
  watched_.push_back(std::move(file));
}

void FileDamage::forget(const WatchedFile& file) noexcept {
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::find(watched_, &file, &std::shared_ptr<const WatchedFile>::get);
  if (at == watched_.end()) return;
  if (file.unreadable_from != WatchedFile::kAllReadable && !noted_) noted_ = damage_of(file);
  watched_.erase(at);
}

}  // namespace tracebraid
