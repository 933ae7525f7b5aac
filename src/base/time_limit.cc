#include "base/time_limit.h"

#include <utility>

namespace tracebraid {

TimeLimit::TimeLimit(std::chrono::milliseconds limit, std::function<void()> stop) {
  if (limit == std::chrono::milliseconds::zero()) return;
  waiting_ = std::thread([this, limit, stop = std::move(stop)] {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, limit, [this] { return done_; })) return;
    passed_ = true;
    stop();
  });
}

TimeLimit::~TimeLimit() {
  {
    const std::scoped_lock lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  if (waiting_.joinable()) waiting_.join();
}

bool TimeLimit::passed() {
  const std::scoped_lock lock(mutex_);
  return passed_;
}

}  // namespace tracebraid
