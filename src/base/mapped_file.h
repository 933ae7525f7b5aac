// MappedFile: the bytes of a file, without reading them all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tracebraid {

// Read-only, private. Errors name the path and what to do. Where a file shrinks while it is mapped,
// the bytes behind its new end read as zeros and damaged_file() reports the file, if the host has
// called guard_mapped_files() (base/damaged_file.h); otherwise the kernel ends the process.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);
  // The regular file behind an open descriptor, which stays the caller's. `path`
  // is for errors.
  static Result<MappedFile> map(int fd, const std::string& path);
  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view bytes() const { return {at_, size_}; }

  // Tells the kernel that these bytes will not be needed again, so that they do
  // not count towards the resident memory. Nothing happens if `part` does not lie in bytes().
  void drop(std::string_view part) const;

 private:
  const char* at_ = nullptr;
  size_t size_ = 0;
};

}  // namespace tracebraid
