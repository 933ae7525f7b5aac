#include "generate/simulate/true_clock.h"

#include <algorithm>
#include <cmath>

namespace tracebraid::generate {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr double kPpm = 1e-6;

int64_t part_of(int64_t true_ns, int64_t from, int64_t to) {
  return std::clamp(true_ns, from, to) - from;
}

}  // namespace

double fraction(Random& random) { return static_cast<double>(random.next() >> 11U) * 0x1p-53; }

double normal(Random& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += fraction(random);
  return sum;
}

int64_t exponential(Random& random, double mean_ns) {
  return static_cast<int64_t>(-mean_ns * std::log(1 - fraction(random)));
}

TrueClock::TrueClock(const ClockFaults& faults, int64_t duration_ns, Random& random)
    : faults_(faults), gained_{0} {
  double ppm = faults.drift_ppm;
  for (int64_t at = 0; at <= duration_ns + kSecond; at += kSecond) {
    gained_.push_back(gained_.back() + ppm * kPpm * static_cast<double>(kSecond));
    ppm += faults.wander_ppm * normal(random);
  }
}

int64_t TrueClock::at(int64_t true_ns) const {
  const auto last = static_cast<int64_t>(gained_.size()) - 2;
  const int64_t second = std::clamp<int64_t>(true_ns / kSecond, 0, last);
  const auto at = static_cast<size_t>(second);
  const double into =
      static_cast<double>(true_ns - second * kSecond) / static_cast<double>(kSecond);
  double gained = gained_[at] + (gained_[at + 1] - gained_[at]) * into;
  for (const ClockFaults::Slew& slew : faults_.slews)
    gained += slew.ppm * kPpm * static_cast<double>(part_of(true_ns, slew.from, slew.to));
  int64_t shows = faults_.offset_ns + true_ns + std::llround(gained);
  for (const ClockFaults::Step& step : faults_.steps)
    if (true_ns >= step.at) shows += step.by_ns;
  for (const ClockFaults::Pause& pause : faults_.pauses)
    shows -= part_of(true_ns, pause.from, pause.to);
  return shows;
}

}  // namespace tracebraid::generate
