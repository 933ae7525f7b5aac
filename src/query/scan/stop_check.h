// StopCheck: whether the running statement of a connection must end early, and why.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "base/result.h"
#include "base/stop.h"

namespace tracebraid {

// Used by one thread, except for the Stop that it reads. A default StopCheck never stops.
class StopCheck {
 public:
  using Clock = std::chrono::steady_clock;
  StopCheck() = default;
  StopCheck(std::shared_ptr<const Stop> stop, std::optional<Clock::time_point> deadline)
      : stop_(std::move(stop)), deadline_(deadline) {}

  // Checks stop and deadline. Reads the clock, so call it per block of rows.
  bool stopped() const {
    return requested() || failure_.has_value() || (deadline_ && Clock::now() >= *deadline_);
  }
  // Checks without the deadline; cheap enough for every row.
  bool requested() const { return stop_ != nullptr && stop_->requested(); }
  // Stops with this error, for example at a limit, or of an exception. The first error applies.
  void stop_with(Error error) {
    if (!failure_) failure_ = std::move(error);
  }
  // The error of stop_with().
  const std::optional<Error>& failure() const { return failure_; }
  // Requires: stopped().
  Error error() const {
    if (failure_) return *failure_;
    if (!requested() && deadline_)
      return {ErrorCode::Timeout, "the query took longer than its time limit"};
    return {ErrorCode::Cancelled, "interrupted"};
  }

 private:
  std::shared_ptr<const Stop> stop_;
  std::optional<Clock::time_point> deadline_;
  std::optional<Error> failure_;
};

// Checks a StopCheck once in so many units of work, for loops whose steps are short.
class PacedStopCheck {
 public:
  explicit PacedStopCheck(const StopCheck& stop) : stop_(stop) {}
  // Adds work: rows, nodes or comparisons, at most a microsecond each.
  bool stopped(size_t work = 1) {
    work_ += work;
    if (work_ < kWorkPerCheck) return false;
    work_ = 0;
    return stop_.stopped();
  }
  // Requires: stopped() returned true.
  Error error() const { return stop_.error(); }

 private:
  static constexpr size_t kWorkPerCheck = size_t{1} << 14;
  const StopCheck& stop_;
  size_t work_ = 0;
};

// Calls body(begin, end) for consecutive ranges of 0 to `count`, and checks `stop` before each.
// Returns false if stopped.
template <class Body>
bool for_each_block(size_t count, const StopCheck& stop, Body body) {
  constexpr size_t kBlockRows = size_t{1} << 16;
  for (size_t begin = 0; begin < count; begin += kBlockRows) {
    if (stop.stopped()) return false;
    body(begin, begin + kBlockRows < count ? begin + kBlockRows : count);
  }
  return true;
}

}  // namespace tracebraid
