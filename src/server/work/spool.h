// Spool: the folder of uploads, exports and large results of one server process.
//
// The folder's name has the process's id and start time, so that a later start removes the folder
// of a process that was killed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

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

// A folder in the spool for files that an exporter writes. Their sizes are not known before, so
// count() is called again and again while they grow. Any thread may use it. The spool outlives it.
class SpoolFolder {
 public:
  // Error Io.
  static Result<std::shared_ptr<SpoolFolder>> create(Spool& spool, std::string_view name);
  ~SpoolFolder();  // removes the folder with its files
  SpoolFolder(const SpoolFolder&) = delete;
  SpoolFolder& operator=(const SpoolFolder&) = delete;

  const std::string& path() const { return path_; }
  // Counts in the spool what was written since the last call. Error Limit if there is no room for
  // it, then and in all later calls.
  Result<> count();

 private:
  SpoolFolder(Spool& spool, std::string path) : spool_(spool), path_(std::move(path)) {}

  Spool& spool_;
  const std::string path_;
  std::mutex mutex_;
  uint64_t counted_ = 0;
  std::optional<Error> failure_;
};

}  // namespace tracebraid
