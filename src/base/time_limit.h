// A time limit.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tracebraid {

// Calls `stop` once, from another thread, if the object exists longer than `limit`; zero is no
// limit.
class TimeLimit {
 public:
  TimeLimit(std::chrono::milliseconds limit, std::function<void()> stop);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  // Whether `stop` was called.
  bool passed();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false, passed_ = false;
  std::thread waiting_;
};

}  // namespace tracebraid
