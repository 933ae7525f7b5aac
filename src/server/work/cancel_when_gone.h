// CancelWhenGone: ends long work when the client that waits for it is gone.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "base/progress.h"
#include "base/stop.h"

namespace tracebraid {

// Cancels the progress when the client is gone.
class CancelWhenGone {
 public:
  CancelWhenGone(Progress& progress, std::shared_ptr<const Stop> gone)
      : thread_([this, &progress, gone = std::move(gone)] {
          while (!has_ended_ && gone != nullptr) {
            if (gone->requested()) progress.cancel();
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
