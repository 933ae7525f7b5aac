// AppendedTrace: the bytes of a trace that arrive in requests, kept in a temporary file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"
#include "engine/trace.h"

namespace tracebraid::rpc {

// Takes bytes of the limit for temporary files, or returns negative ones to it. False: the limit is
// reached.
using Reserve = std::function<bool(int64_t bytes)>;

class AppendedTrace {
 public:
  AppendedTrace(std::string folder, Reserve reserve)
      : folder_(std::move(folder)), reserve_(std::move(reserve)) {}
  ~AppendedTrace() { clear(); }
  AppendedTrace(const AppendedTrace&) = delete;
  AppendedTrace& operator=(const AppendedTrace&) = delete;

  // Errors: Limit, Io.
  Result<> append(std::string_view bytes);
  int64_t size() const { return size_; }
  // Returns the bytes as an input, and forgets them. Requires: size() is not 0.
  Result<TraceInput> finish(std::string name);
  void clear();

 private:
  std::string folder_;
  Reserve reserve_;
  Descriptor file_;
  int64_t size_ = 0;
};

}  // namespace tracebraid::rpc
