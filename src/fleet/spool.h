// Spool: frames of rows that wait until their group has ended, in memory or in a temporary file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"

namespace tracebraid::fleet {

// Reads frames that lie in a file from `begin` to `end`. Calls `take` with head and body of each,
// whose bytes are valid until it returns. Errors: that of `take`, Io.
Result<> for_each_frame(
    int fd, uint64_t begin, uint64_t end,
    const std::function<Result<>(std::string_view head, std::string_view body)>& take);

// Writes all bytes at the position of the descriptor. Errors (Io) name `path`.
Result<> write_all(int fd, std::string_view bytes, const std::string& path);

// One thread at a time.
class Spool {
 public:
  // Keeps up to `most_in_memory` bytes in memory, and puts all into a file in `folder` beyond.
  Spool(uint64_t most_in_memory, std::string folder)
      : most_in_memory_(most_in_memory), folder_(std::move(folder)) {}

  // An Error (Io) if a temporary file cannot be written.
  Result<> add(std::string_view bytes);
  uint64_t size() const { return size_; }
  uint64_t size_in_memory() const { return memory_.size(); }
  // Moves what is in memory to the file.
  Result<> move_to_file();
  // See for_each_frame() above.
  Result<> for_each_frame(
      const std::function<Result<>(std::string_view head, std::string_view body)>& take) const;
  // Passes all bytes to `take`, block by block.
  Result<> for_each_block(const std::function<Result<>(std::string_view bytes)>& take) const;

 private:
  uint64_t most_in_memory_;
  std::string folder_;
  std::string memory_;
  Descriptor file_;
  uint64_t size_ = 0;
};

}  // namespace tracebraid::fleet
