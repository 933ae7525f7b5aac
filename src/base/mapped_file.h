// MappedFile: the bytes of a file, mapped into memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/file_damage.h"
#include "base/host_files.h"
#include "base/result.h"

namespace tracebraid {

// Receives the mappings, for a host that handles SIGBUS. The library installs no handler: without
// one, the kernel ends the process when a mapped file shrinks or its disk fails.
class MappingGuard {
 public:
  virtual ~MappingGuard() = default;
  // Announces that the bytes [begin, begin + size) are mapped until remove(). If a page cannot be
  // read, the handler maps zeros from the page to the end, and lowers `unreadable_from` to the
  // distance of the page from `begin`. Called on any thread. May throw std::bad_alloc.
  virtual void add(const char* begin, size_t size, std::atomic<uint64_t>& unreadable_from) = 0;
  virtual void remove(const char* begin) noexcept = 0;
};

// A read-only, private mapping. `files.damage` watches the file while it is mapped. Errors
// (NotFound, Io) name the path and the reason. Safe to read from any thread.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path, const HostFiles& files);
  // Maps the regular file behind an open descriptor. Borrows `fd`. `path` is for errors.
  static Result<MappedFile> map(int fd, const std::string& path, const HostFiles& files);
  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view bytes() const { return {at_, size_}; }

  // Tells the kernel that these bytes are not needed again, so that they do not count towards the
  // resident memory. Does nothing if `part` does not lie in bytes().
  void drop(std::string_view part) const;

 private:
  const char* at_ = nullptr;
  size_t size_ = 0;
  std::shared_ptr<WatchedFile> watched_;
  std::shared_ptr<FileDamage> damage_;
  MappingGuard* guard_ = nullptr;
};

}  // namespace tracebraid
