#include "cli/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "cli/terminal.h"
#include "engine/text.h"

namespace tracebraid {
namespace {

using Steady = std::chrono::steady_clock;
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr double kLongest = 359'999;  // seconds that are shown: 99:59:59
constexpr auto kQuietAtFirst = std::chrono::milliseconds(300);

std::string amount(double value, std::string_view unit) {
  const double shown = std::clamp(value, 0.0, 9e18);
  if (unit == "B") return bytes_text(static_cast<uint64_t>(shown));
  return fmt::format("{} {}", count_text(static_cast<int64_t>(shown)), unit);
}

// Returns "0:07" or "1:00:00".
std::string clock_text(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string time_left(const ProgressSample& s) {
  const double rate = static_cast<double>(s.done) / s.seconds;
  const double seconds = std::min(static_cast<double>(s.total - s.done) / rate, kLongest);
  return clock_text(std::ceil(seconds)) + " left";
}

std::string bar(const ProgressSample& s, size_t cells) {
  const double part = static_cast<double>(s.done) / static_cast<double>(s.total);
  const size_t full = std::min(cells, static_cast<size_t>(part * static_cast<double>(cells)));
  std::string text(full, '=');
  if (full < cells) text += '>';
  text.resize(cells, ' ');
  return fmt::format("[{}] {:2}%", text, static_cast<int>(part * 100));
}

void write_stderr(std::string_view text) {
  // Work continues if the bar cannot be written.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

std::string progress_line(const ProgressSample& given, size_t width) {
  ProgressSample s = given;
  if (s.total > 0) s.done = std::min(s.done, s.total);
  constexpr size_t kCells = 20;
  constexpr double kRateAfter = 0.5;  // seconds; earlier rates vary too much
  std::vector<std::string> parts;
  if (s.total > 0) {
    parts.push_back(" " + bar(s, kCells));
    parts.push_back(fmt::format("  {} of {}", amount(static_cast<double>(s.done), s.unit),
                                amount(static_cast<double>(s.total), s.unit)));
  } else if (s.done > 0) {
    parts.push_back("  " + amount(static_cast<double>(s.done), s.unit));
  }
  if (s.total == 0 && s.seconds >= 1)
    parts.push_back("  " + clock_text(std::min(s.seconds, kLongest)));
  if (s.done > 0 && s.seconds >= kRateAfter) {
    parts.push_back("  " + amount(static_cast<double>(s.done) / s.seconds, s.unit) + "/s");
    if (s.total > s.done) parts.push_back("  " + time_left(s));
  }
  std::string line(s.stage.substr(0, width));
  for (const std::string& part : parts) {
    if (line.size() + part.size() > width) break;
    line += part;
  }
  return line;
}

ProgressBar::ProgressBar(const Progress& progress)
    : progress_(progress), thread_([this] { loop(); }) {}

ProgressBar::~ProgressBar() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

std::unique_lock<std::mutex> ProgressBar::pause() {
  std::unique_lock lock(mutex_);
  clear();
  return lock;
}

void ProgressBar::clear() {
  if (std::exchange(shown_, false)) write_stderr("\r\x1b[K");
}

void ProgressBar::loop() {
  const Steady::time_point start = Steady::now();
  Steady::time_point stage_start = start;
  const char* stage = nullptr;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kInterval, [this] { return stop_; })) {
    const Steady::time_point now = Steady::now();
    if (progress_.stage() != stage) {
      if (stage != nullptr) stage_start = now;
      stage = progress_.stage();
    }
    if (stage == nullptr || now - start < kQuietAtFirst) continue;
    const ProgressSample sample{stage, progress_.unit(), progress_.done(), progress_.total(),
                                std::chrono::duration<double>(now - stage_start).count()};
    write_stderr("\r" + progress_line(sample, terminal_width(STDERR_FILENO) - 1) + "\x1b[K");
    shown_ = true;
  }
  clear();
}

}  // namespace tracebraid
