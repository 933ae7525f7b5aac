// FileDamage: what the system did to files while they were read, so that what was made of their
// bytes is not what the files hold.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tracebraid {

// A file whose bytes are in use.
struct WatchedFile {
  static constexpr uint64_t kAllReadable = ~uint64_t{0};

  WatchedFile(std::string of, const struct stat& when_opened)
      : path(std::move(of)), status(when_opened) {}

  const std::string path;
  const struct stat status;  // when it was opened
  // First byte that a mapping of the file could not give. Set by the host's handler of SIGBUS.
  std::atomic<uint64_t> unreadable_from{kAllReadable};
};

// The list of one opening: the damage to a file concerns the traces that were made of it, and no
// others. All functions may be called on any thread.
class FileDamage {
 public:
  // The first damage there is: a watched file shrank, was written to, or could not be read, or a
  // note. The message names the file, the place and what to do. Files that only grew are fine.
  std::optional<Error> find() const;

  // Notes an error that makes the bytes of an input doubtful, and returns the first note.
  Error note(Error error);
  // Byte `at` of the file cannot be read (`reason`: errno). Returns the first note.
  Error note_unreadable(const std::string& path, uint64_t at, int reason);
  // The file had `then` bytes when it was opened and has `now` bytes. Returns the first note.
  Error note_shrunk(const std::string& path, uint64_t then, uint64_t now);

  // Paths of the watched files that grew: only what they held at first was read.
  std::vector<std::string> grown_files() const;

  // Compares the file with its status until forget(), which notes the bytes that were unreadable.
  void watch(std::shared_ptr<const WatchedFile> file);
  void forget(const WatchedFile& file) noexcept;

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const WatchedFile>> watched_;
  std::optional<Error> noted_;
};

}  // namespace tracebraid
