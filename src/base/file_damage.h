// FileDamage: changes of files while they are read, so that tables made from their bytes may be
// wrong.
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
  // First byte that a mapping of the file could not read. Set by the host's handler of SIGBUS.
  std::atomic<uint64_t> unreadable_from{kAllReadable};
};

// The damage seen by one opening: it concerns the traces read from a damaged file, and no others.
// All functions may be called on any thread.
class FileDamage {
 public:
  // Returns the first damage: a watched file shrank, was written to, or could not be read, or a
  // note. The message names the file, the place and what to do. A file that only grew is not
  // damaged.
  std::optional<Error> find() const;

  // Notes an error that makes the bytes of an input doubtful. Returns the first note.
  Error note(Error error);
  // Notes that byte `at` of the file cannot be read (`reason`: errno). Returns the first note.
  Error note_unreadable(const std::string& path, uint64_t at, int reason);
  // Notes that the file had `then` bytes when it was opened and has `now` bytes. Returns the first
  // note.
  Error note_shrunk(const std::string& path, uint64_t then, uint64_t now);

  // Returns the paths of the watched files that grew. Only the bytes present at opening are read.
  std::vector<std::string> grown_files() const;

  // Compares the file with its status from now on. forget() ends that, and notes bytes that were
  // unreadable.
  void watch(std::shared_ptr<const WatchedFile> file);
  void forget(const WatchedFile& file) noexcept;

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const WatchedFile>> watched_;
  std::optional<Error> noted_;
};

}  // namespace tracebraid
