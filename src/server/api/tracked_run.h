// TrackedRun: the state, the times and the outcome of work that a request started.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace tracebraid::api {

using Clock = std::chrono::steady_clock;

enum class RunState : uint8_t { Queued, Running, Done, Failed, Cancelled };
std::string_view state_name(RunState state);
inline bool has_ended(RunState state) { return state >= RunState::Done; }

// Written by the thread that does the work, read by any thread.
class TrackedRun {
 public:
  void start();
  void end(const Result<>& result);

  struct Status {
    RunState state = RunState::Queued;
    std::optional<Error> error;  // once it has ended
    std::optional<Clock::time_point> ended;
    int64_t elapsed_ms = 0;  // since start()
  };
  Status status() const;
  RunState state() const { return status().state; }
  std::optional<Error> error() const { return status().error; }
  std::optional<Clock::time_point> ended() const { return status().ended; }
  int64_t elapsed_ms() const { return status().elapsed_ms; }

 private:
  mutable std::mutex mutex_;
  Status status_;
  Clock::time_point began_;
};

}  // namespace tracebraid::api
