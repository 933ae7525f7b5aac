// Spool: the folder of uploads, exports and large results of one server process.
//
// The folder's name has the process's id and start time, so that a later start removes the folder
// of a process that was killed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"

namespace tracebraid::api {

// Any thread may use it.
class Spool {
 public:
  // Makes the folder within `parent`, after removing those of dead processes. Error Io.
  static Result<std::unique_ptr<Spool>> create(const std::string& parent, uint64_t limit);
  ~Spool();  // removes the folder with its files
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  const std::string& folder() const { return folder_; }
  uint64_t limit() const { return limit_; }
  uint64_t used() const { return used_; }
  // Counts bytes before they are written. Error Limit, with what to do, if there is no room.
  Result<> take(uint64_t bytes);
  void release(uint64_t bytes) { used_ -= bytes; }

 private:
  Spool(std::string folder, uint64_t limit) : folder_(std::move(folder)), limit_(limit) {}

  const std::string folder_;
  const uint64_t limit_;
  std::atomic<uint64_t> used_{0};
};

}  // namespace tracebraid::api
