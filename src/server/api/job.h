// Job: long work that a request started: an import or an export.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>

#include "base/progress.h"
#include "base/result.h"

namespace tracebraid::api {

using Clock = std::chrono::steady_clock;

enum class RunState : uint8_t { Queued, Running, Done, Failed, Cancelled };
std::string_view state_name(RunState state);
inline bool has_ended(RunState state) { return state >= RunState::Done; }

// Written by the worker that runs it, read by any thread.
class Job {
 public:
  Job(uint64_t id, std::string_view kind, uint64_t trace) : id(id), kind(kind), trace(trace) {}

  const uint64_t id;
  const std::string kind;  // "import", "export"
  const uint64_t trace;
  Progress progress;
  std::string file, file_name;  // of an export: path, and name for the download; set before Done
  uint64_t file_bytes = 0;      // counted in the spool

  void start();
  void end(const Result<>& result);
  RunState state() const;
  // Returns when the job ended, or nothing.
  std::optional<Clock::time_point> ended() const;
  std::optional<Error> error() const;  // once it has ended
  // Returns the document of GET /jobs/{j}; for the WebSocket with a member `op`.
  std::string json(std::string_view op = {}) const;

 private:
  mutable std::mutex mutex_;
  RunState state_ = RunState::Queued;
  Clock::time_point began_ = Clock::now();
  std::optional<Clock::time_point> ended_;
  std::optional<Error> error_;
};

}  // namespace tracebraid::api
