// ReadFile: a regular file whose bytes are copied on request.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/descriptor.h"
#include "base/file_damage.h"
#include "base/host_files.h"
#include "base/result.h"

namespace tracebraid {

// The bytes that the file had when it was opened. `files.damage` watches the file until the last
// owner is gone. Holds no descriptor, except of standard input, because a folder may have more
// files than a process may open. Safe to use from any thread.
class ReadFile {
 public:
  // Opens the regular file behind `fd`, which is borrowed, at `path`. With `keeps_descriptor` the
  // path cannot be opened again, and a copy of `fd` is kept.
  static Result<std::shared_ptr<const ReadFile>> open(int fd, const std::string& path,
                                                      bool keeps_descriptor,
                                                      const HostFiles& files);
  ~ReadFile();
  ReadFile(const ReadFile&) = delete;
  ReadFile& operator=(const ReadFile&) = delete;

  uint64_t size() const { return static_cast<uint64_t>(watched_->status.st_size); }

  // The access of one reader. Requires: `file` outlives it.
  class Reader {
   public:
    explicit Reader(std::shared_ptr<const ReadFile> file) : file_(std::move(file)) {}
    // Fills `into` with the bytes from `at` on. Requires: [at, at + size) lies in the file. Error
    // Io, also noted as damage, if the file shrank, was replaced or cannot be read.
    Result<> read(uint64_t at, char* into, size_t size);

   private:
    std::shared_ptr<const ReadFile> file_;
    Descriptor own_;  // opened by the first read
  };

 private:
  ReadFile(std::shared_ptr<WatchedFile> watched, std::shared_ptr<FileDamage> damage)
      : watched_(std::move(watched)), damage_(std::move(damage)) {}
  Result<Descriptor> open_again() const;

  std::shared_ptr<WatchedFile> watched_;
  std::shared_ptr<FileDamage> damage_;
  Descriptor kept_;
};

}  // namespace tracebraid
