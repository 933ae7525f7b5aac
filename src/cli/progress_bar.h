// A progress bar on stderr, for work that reports through Progress.
//
//   reading [=========>          ] 46%  138 MB of 300 MB  412 MB/s  0:01 left
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/progress.h"

namespace tracebraid {

// The state at one moment.
struct ProgressSample {
  std::string_view stage;
  std::string_view unit;
  uint64_t done = 0;
  uint64_t total = 0;  // 0: unknown
  double seconds = 0;  // since the stage began
};

// Returns at most `width` characters; omits parts that do not fit.
std::string progress_line(const ProgressSample& sample, size_t width);

// Shows the progress until destruction, then clears the line. Starts after a short delay, so that
// quick work does not flicker.
class ProgressBar {
 public:
  explicit ProgressBar(const Progress& progress);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Clears the line, and keeps it clear while the lock exists. For output to the same terminal.
  std::unique_lock<std::mutex> pause();

 private:
  void loop();
  void clear();  // Requires: mutex_ is locked
  const Progress& progress_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  bool shown_ = false;  // the line is on the terminal
  std::thread thread_;
};

}  // namespace tracebraid
