// Output: bytes to a file descriptor, in large writes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

class Output {
 public:
  // Does not own `fd`. `name` is for messages: "standard output".
  Output(int fd, std::string name);
  // Passes the bytes to `write`, which returns false if nobody wants more.
  explicit Output(std::function<bool(std::string_view bytes)> write);
  ~Output() { flush(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // The buffer. Append to it, then call drain(), which writes when enough has accumulated.
  std::string& buffer() { return buffer_; }
  void drain() {
    if (buffer_.size() >= kWriteBytes) flush();
  }
  void flush();

  // Returns false if the reader has closed the pipe or a write failed; then stop.
  bool ok() const { return errno_ == 0; }
  // A closed pipe (`| head`) is no error.
  Result<> result() const;

 private:
  static constexpr size_t kWriteBytes = 256 * 1024;
  int fd_ = -1;
  std::function<bool(std::string_view bytes)> write_;  // instead of fd_
  int errno_ = 0;
  std::string name_;
  std::string buffer_;
};

}  // namespace tracebraid
