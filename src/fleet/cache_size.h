// CacheSize: keeps a folder of merged traces below a size. Input: a folder. Output: deleted files.
// Called by fleet/run.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace tracebraid::fleet {

// Deletes the braids that were not used for the longest time. One thread at a time.
class CacheSize {
 public:
  // `size` in bytes; nothing: a tenth of the free room of the disk. Makes the folder. Error Io.
  static Result<CacheSize> open(std::string folder, std::optional<uint64_t> size);
  // Deletes what is beyond the size.
  void prune();
  // Call after each group. Lists the folder from time to time only, because it may have many files.
  void add_group();

 private:
  std::string folder_;
  uint64_t size_ = 0;
  uint64_t groups_ = 0, next_ = 0;  // groups so far, and when prune() is due
};

}  // namespace tracebraid::fleet
