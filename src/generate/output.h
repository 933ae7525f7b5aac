// Output: a buffered file that counts its bytes.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid::generate {

class Output {
 public:
  static Result<Output> create(const std::string& path);

  // The buffer. Append to it, then call flush_if_full().
  std::string& buffer() { return buffer_; }
  void flush_if_full() {
    if (buffer_.size() >= kFull) flush();
  }
  uint64_t bytes() const { return flushed_ + buffer_.size(); }

  // Writes the remaining bytes. Returns an Error if any write failed.
  Result<> close();

 private:
  static constexpr size_t kFull = size_t{1} << 20U;
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void flush();

  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::string buffer_;
  uint64_t flushed_ = 0;
  bool failed_ = false;
};

}  // namespace tracebraid::generate
