// Worlds of spec alignment 13: recordings whose clocks show known readings at each true time, and
// how far their events lie from the truth. For tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "clock/error_bounds.h"
#include "merge/locate/test_files.h"

namespace tracebraid::located_files {

using WorldRandom = std::mt19937_64;

inline double draw(WorldRandom& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

// A clock of constant rate, or whose rate follows a sine. It may be set once.
struct WorldClock {
  double offset = 0, rate = 0;               // ns; ns per ns
  int64_t base = 0;                          // ns, added to the offset
  double wander = 0, period = 1, phase = 0;  // of the sine: ns per ns, ns, radians
  double step = 0, step_at = INFINITY;       // ns

  int64_t at(double truth) const {
    const double turns = 2 * std::numbers::pi / period;
    const double bend = -wander / turns * (std::cos(turns * truth + phase) - std::cos(phase));
    const double set = truth >= step_at ? step : 0;
    // Wall-clock times do not fit into a double.
    return base + std::llround(truth + offset + rate * truth + bend + set);
  }
};

inline WorldClock draw_clock(WorldRandom& random, double farthest) {
  return {draw(random, 0, farthest), draw(random, -5e-5, 5e-5)};
}

// Files, the first of which has the timeline, and their clocks.
struct AlignWorld {
  std::deque<File> files;
  std::vector<WorldClock> clocks;
  double first = 0, last = 0;  // true times of the probes, ns

  static constexpr int kProbes = 50;
  double probe_at(int k) const { return first + (last - first) * k / kProbes; }
  // Adds events that content ignores, at equal true times in all files.
  void add_probes(uint32_t domain = kNone) {
    add_probes([&](size_t) { return domain; });
  }
  // domain_of(file): of its probes.
  template <class DomainOf>
  void add_probes(DomainOf domain_of) {
    for (size_t i = 0; i < files.size(); ++i)
      for (int k = 0; k <= kProbes; ++k) {
        files[i].event(fmt::format("probe{}.{}", i, k), clocks[i].at(probe_at(k)), domain_of(i));
        Event& event = files[i].batch.streams[0].events.back();
        event.kind = static_cast<uint8_t>(EventKind::Counter);
      }
  }
};

// Distances of events from the truth, ns.
struct WorldErrors {
  std::vector<int64_t> errors, bounds;  // of the same probes
  size_t inside = 0, unbounded = 0;

  void add(const AlignWorld& world, const Outcome& outcome, size_t file) {
    const ClockId clock = outcome.located.clocks[file][probe_clock(world, file)].node;
    ErrorBounds map(outcome.located.graph, outcome.located.placement);
    for (int k = 0; k <= AlignWorld::kProbes; ++k) {
      const double truth = world.probe_at(k);
      const auto at = outcome.ts.find(fmt::format("probe{}.{}", file, k));
      if (at == outcome.ts.end()) continue;
      note(std::abs(at->second - world.clocks[0].at(truth)),
           map.at(clock, world.clocks[file].at(truth)));
    }
  }
  void note(int64_t error, int64_t bound) {
    errors.push_back(error);
    bounds.push_back(bound);
    inside += error <= bound ? 1 : 0;
    unbounded += bound == kUnbounded ? 1 : 0;
  }
  void add(const WorldErrors& other) {
    std::ranges::copy(other.errors, std::back_inserter(errors));
    std::ranges::copy(other.bounds, std::back_inserter(bounds));
    inside += other.inside;
    unbounded += other.unbounded;
  }
  static int64_t at_share(std::vector<int64_t> values, double share) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
  }
  int64_t median() const { return at_share(errors, 0.5); }
  int64_t p99() const { return at_share(errors, 0.99); }
  int64_t worst() const { return at_share(errors, 1); }
  int64_t worst_bound() const { return at_share(bounds, 1); }

 private:
  static uint32_t probe_clock(const AlignWorld& world, size_t file) {
    return world.files[file].batch.streams[0].events.back().clock;
  }
};

// Returns the errors of 21 probes of the second file, "probe1.0" if `prefix` is "probe1.".
// reading_of(file, truth) is what the clock of a file shows.
template <class ReadingOf>
WorldErrors errors_of_second(const Outcome& outcome, std::string_view prefix, double span,
                             ReadingOf reading_of) {
  WorldErrors errors;
  const ClockId clock = outcome.located.clocks[1][0].node;
  ErrorBounds bounds(outcome.located.graph, outcome.located.placement);
  for (int k = 0; k <= 20; ++k) {
    const double truth = span * k / 20;
    const int64_t placed = outcome.ts.at(fmt::format("{}{}", prefix, k));
    errors.note(std::abs(placed - reading_of(0, truth)), bounds.at(clock, reading_of(1, truth)));
  }
  return errors;
}

// The figures of one world over all its seeds: with content, and as placed without. Written as a
// row of the table of docs/clock-model.md to the file TRACEBRAID_FIGURES of the environment.
class WorldTable {
 public:
  explicit WorldTable(std::string name) : name_(std::move(name)) {}
  ~WorldTable() {
    const char* path = std::getenv("TRACEBRAID_FIGURES");
    if (path != nullptr && files_ > 0) std::ofstream(path, std::ios::app) << row() << '\n';
  }
  WorldTable(const WorldTable&) = delete;
  WorldTable& operator=(const WorldTable&) = delete;

  // Adds a file that content places, and what it was without content.
  void add(const WorldErrors& with, const WorldErrors& without) {
    with_.add(with);
    without_.add(without);
    ++files_;
  }
  // Adds a file whose matches were refused.
  void add_refused(std::string_view reason) {
    ++files_;
    ++refused_;
    if (reasons_.find(reason) == std::string::npos)
      reasons_ += (reasons_.empty() ? "" : ", ") + fmt::format("`{}`", reason);
  }
  const WorldErrors& with() const { return with_; }
  const WorldErrors& without() const { return without_; }
  size_t refused() const { return refused_; }
  size_t files() const { return files_; }

 private:
  static std::string us(int64_t ns) {
    return ns == kUnbounded ? "none" : fmt::format("{:.1f}", static_cast<double>(ns) / 1000);
  }
  std::string row() const {
    const std::string refused = refused_ == 0 ? "0" : fmt::format("{} ({})", refused_, reasons_);
    if (with_.errors.empty())
      return fmt::format("| {} | {} | {} | | | | | | |", name_, files_, refused);
    return fmt::format(
        "| {} | {} | {} | {} | {} | {} | {:.2f} % | {} | {} |", name_, files_, refused,
        us(with_.median()), us(with_.p99()), us(with_.worst_bound()),
        100.0 * static_cast<double>(with_.inside) / static_cast<double>(with_.errors.size()),
        us(without_.median()), us(without_.worst_bound()));
  }

  std::string name_, reasons_;
  WorldErrors with_, without_;
  size_t files_ = 0, refused_ = 0;
};

// Places the files of a world, without content.
inline Outcome without_content(AlignWorld& world, std::string_view manifest = {}) {
  return locate_files(world.files, manifest, {.align = {.kinds = 0}});
}

// Returns "kind:verdict:reason" of the match set of a file with any other one; "none" without.
inline std::string verdict_of_file(const Outcome& outcome, size_t file) {
  const ClockMatchSetTable& sets = outcome.store->clock_match_sets;
  std::string found = "none";
  const auto text = [&](StringId id) {
    return id ? std::string(outcome.store->strings.get(id)) : std::string();
  };
  for (size_t row = 0; row < sets.rows(); ++row) {
    if (sets.trace_a[row] != file + 1) continue;  // the first is the container
    const std::string verdict =
        text(sets.kind[row]) + ":" + text(sets.verdict[row]) + ":" + text(sets.reason[row]);
    if (found == "none" || text(sets.verdict[row]) == "used") found = verdict;
  }
  return found;
}

}  // namespace tracebraid::located_files
