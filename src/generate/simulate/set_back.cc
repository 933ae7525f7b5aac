#include "generate/simulate/set_back.h"

#include <algorithm>
#include <string>

#include "base/clock_domain.h"
#include "generate/simulate/recording.h"
#include "generate/simulate/true_clock.h"

namespace tracebraid::generate {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kBootNs = 5'000 * kSecond, kWallNs = 1'763'640'000 * kSecond;
constexpr int64_t kReadSpreadNs = 400;  // between the readings of two clocks
constexpr double kWanderPpm = 0.005, kDriftPpm = 20;

class SetBack {
 public:
  explicit SetBack(const SetBackOptions& options)
      : options_(options), random_(options.seed * 2654435761U + 7) {}

  SetBackSimulation run() {
    draw_steps();
    const TrueClock host(
        {.offset_ns = kBootNs, .drift_ppm = kDriftPpm / 4, .wander_ppm = kWanderPpm},
        options_.duration_ns, random_);
    const double drift = random_.one_in(2) ? kDriftPpm : -kDriftPpm;
    const TrueClock wall(
        {.offset_ns = kWallNs, .drift_ppm = drift, .wander_ppm = kWanderPpm, .steps = steps_},
        options_.duration_ns, random_);
    const TrueClock awake({.offset_ns = kBootNs / 2, .pauses = pauses_}, options_.duration_ns,
                          random_);
    ProtoRecording recording;
    const std::vector<int64_t> moments = draw_moments();
    ReferenceRule rule;
    for (const int64_t at : moments) {
      const int64_t boottime = host.at(at), realtime = wall.at(at + between(0, kReadSpreadNs));
      recording.snapshot({{domain::kBoottime, boottime},
                          {domain::kRealtime, realtime},
                          {domain::kMonotonic, awake.at(at)}});
      rule.observe(realtime, boottime);
    }
    for (const int64_t at : draw_events()) {
      const int64_t reading = wall.at(at);
      const std::string name = "e" + std::to_string(out_.simulation.events.size());
      recording.event(name, domain::kRealtime, 0, reading);
      out_.simulation.events.push_back({.name = name,
                                        .true_ns = host.at(at),
                                        .domain = domain::kRealtime,
                                        .machine = 0,
                                        .file = 0,
                                        .reading = reading,
                                        .reference_ns = rule.convert(reading)});
      out_.is_near_step.push_back(is_near_step(at, moments));
    }
    out_.simulation.files.push_back({"wall.pb", recording.take()});
    return std::move(out_);
  }

 private:
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(fraction(random_) * static_cast<double>(high - low));
  }
  int64_t share(double low, double high) {
    const double share = low + fraction(random_) * (high - low);
    return static_cast<int64_t>(share * static_cast<double>(options_.duration_ns));
  }

  void draw_steps() {
    switch (options_.world) {
      case SetBackWorld::Far:
        steps_ = {{share(0.2, 0.8), -share(1.05, 20)}};
        break;
      case SetBackWorld::InOrder:
      case SetBackWorld::Shuffled:
        steps_ = {{share(0.2, 0.8), -share(0.05, 0.5)}};
        break;
      case SetBackWorld::Several:
        steps_ = {{share(0.1, 0.3), -share(2.2, 6)},
                  {share(0.4, 0.6), share(0.2, 0.8)},
                  {share(0.7, 0.9), -share(2.2, 6)}};
        pauses_ = {{share(0.31, 0.33), share(0.34, 0.39)}};
        break;
    }
  }

  bool is_asleep(int64_t at) const {
    return std::ranges::any_of(pauses_, [at](const auto& p) { return at >= p.from && at <= p.to; });
  }

  std::vector<int64_t> draw_moments() {
    const bool is_small =
        options_.world == SetBackWorld::InOrder || options_.world == SetBackWorld::Shuffled;
    const int64_t every = between(kSecond, (is_small ? 5 : 10) * kSecond);
    std::vector<int64_t> moments;
    for (int64_t at = 0; at < options_.duration_ns; at += every)
      if (!is_asleep(at)) moments.push_back(at);
    moments.push_back(options_.duration_ns);
    return moments;
  }

  std::vector<int64_t> draw_events() {
    std::vector<int64_t> times;
    while (times.size() < options_.events) {
      const int64_t at = share(0, 1);
      if (!is_asleep(at)) times.push_back(at);
    }
    if (options_.world != SetBackWorld::Shuffled) std::ranges::sort(times);
    return times;
  }

  bool is_near_step(int64_t at, const std::vector<int64_t>& moments) const {
    const auto after = std::ranges::upper_bound(moments, at);
    if (after == moments.begin() || after == moments.end()) return false;
    return std::ranges::any_of(
        steps_, [&](const auto& s) { return s.at >= *std::prev(after) && s.at <= *after; });
  }

  SetBackOptions options_;
  Random random_;
  std::vector<ClockFaults::Step> steps_;
  std::vector<ClockFaults::Pause> pauses_;
  SetBackSimulation out_;
};

}  // namespace

std::string_view name_of(SetBackWorld world) {
  switch (world) {
    case SetBackWorld::Far:
      return "set back far";
    case SetBackWorld::InOrder:
      return "set back";
    case SetBackWorld::Shuffled:
      return "set back, shuffled";
    case SetBackWorld::Several:
      break;
  }
  return "set three times";
}

SetBackSimulation simulate(const SetBackOptions& options) { return SetBack(options).run(); }

}  // namespace tracebraid::generate
