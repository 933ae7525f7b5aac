// AppendedTrace: the bytes of a trace that arrive in requests, kept in a file of the spool.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"
#include "engine/trace.h"
#include "server/work/spool.h"

namespace tracebraid::rpc {

class AppendedTrace {
 public:
  explicit AppendedTrace(std::shared_ptr<Spool> spool) : spool_(std::move(spool)) {}
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
  std::shared_ptr<Spool> spool_;
  Descriptor file_;
  int64_t size_ = 0;
};

}  // namespace tracebraid::rpc
