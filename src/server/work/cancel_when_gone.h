// CancelWhenGone: ends long work when the client that waits for it is gone.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include "base/progress.h"
#include "base/stop.h"

namespace tracebraid {

// Cancels the progress when the client is gone, or when `is_over` returns true.
class CancelWhenGone {
 public:
  CancelWhenGone(
      Progress& progress, std::shared_ptr<const Stop> gone,
      std::function<bool()> is_over = [] { return false; })
      : thread_([this, &progress, gone = std::move(gone), is_over = std::move(is_over)] {
          while (!has_ended_) {
            if ((gone != nullptr && gone->requested()) || is_over()) progress.cancel();
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
          }
        }) {}
  ~CancelWhenGone() {
    has_ended_ = true;
    thread_.join();
  }
  CancelWhenGone(const CancelWhenGone&) = delete;
  CancelWhenGone& operator=(const CancelWhenGone&) = delete;

 private:
  std::atomic<bool> has_ended_{false};
  std::thread thread_;  // last: uses the member above
};

}  // namespace tracebraid
