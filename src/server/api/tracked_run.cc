#include "server/api/tracked_run.h"

namespace tracebraid::api {

std::string_view state_name(RunState state) {
  constexpr std::string_view kNames[] = {"queued", "running", "done", "failed", "cancelled"};
  return kNames[static_cast<size_t>(state)];
}

void TrackedRun::start() {
  const std::scoped_lock lock(mutex_);
  status_.state = RunState::Running;
  began_ = Clock::now();
}

void TrackedRun::end(const Result<>& result) {
  const std::scoped_lock lock(mutex_);
  status_.ended = Clock::now();
  status_.state = result                                        ? RunState::Done
                  : result.error().code == ErrorCode::Cancelled ? RunState::Cancelled
                                                                : RunState::Failed;
  if (!result) status_.error = result.error();
}

TrackedRun::Status TrackedRun::status() const {
  const std::scoped_lock lock(mutex_);
  Status now = status_;
  if (now.state != RunState::Queued)
    now.elapsed_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                         now.ended.value_or(Clock::now()) - began_)
                         .count();
  return now;
}

}  // namespace tracebraid::api
