// Compares placed events with the true times in simulations, and prints the table of
// docs/clock-model.md. Usage: clock_accuracy [SEEDS]
#include <fmt/core.h>

#include <cstdlib>

#include "generate/simulate/set_back.h"
#include "merge/simulation_outcome.h"

namespace tracebraid {
namespace {

// The results of all seeds.
struct Row {
  std::vector<int64_t> medians, p99s;
  int64_t worst = 0;
  size_t events = 0, placed = 0, within = 0, violations = 0;
  std::vector<int64_t> bounds;

  void add(const Accuracy& run) {
    medians.push_back(run.median);
    p99s.push_back(run.p99);
    bounds.push_back(run.usual_bound);
    worst = std::max(worst, run.worst);
    events += run.events;
    placed += run.placed;
    within += run.within;
    violations += run.violations;
  }
  void print(std::string_view world, std::string_view rule, bool has_bound) const {
    const auto us = [](int64_t ns) {
      return fmt::format("{:.1f}", static_cast<double>(ns) / 1000);
    };
    const double share = 100.0 * static_cast<double>(within) / static_cast<double>(placed);
    fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", world, rule,
               us(simulation_detail::at_share(medians, 0.5)),
               us(simulation_detail::at_share(p99s, 0.5)), us(worst),
               has_bound ? us(simulation_detail::at_share(bounds, 0.5)) : "",
               has_bound ? fmt::format("{:.2f} %", share) : "", violations, events - placed);
  }
};

void measure(generate::World world, uint64_t seeds) {
  Row reference, step, linear;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    const generate::Simulation simulation = generate::simulate({.world = world, .seed = seed});
    reference.add(accuracy_of_reference(simulation));
    step.add(accuracy_of(simulation, ClockModel::Step));
    linear.add(accuracy_of(simulation, ClockModel::Linear));
  }
  reference.print(name_of(world), "reference", false);
  step.print(name_of(world), "step", true);
  linear.print(name_of(world), "linear", true);
}

// Events near a step have a larger bound: no reading shows on which side of it they lie.
void measure(generate::SetBackWorld world, uint64_t seeds) {
  Row reference, linear;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    const generate::SetBackSimulation drawn = generate::simulate({.world = world, .seed = seed});
    reference.add(accuracy_of_reference(drawn.simulation));
    linear.add(accuracy_of(drawn.simulation, ClockModel::Linear));
  }
  reference.print(name_of(world), "reference", false);
  linear.print(name_of(world), "linear", true);
}

}  // namespace
}  // namespace tracebraid

int main(int argc, char** argv) {
  const uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20;
  fmt::print(
      "| World | Rule | Median, us | p99, us | Worst, us | Median bound, us | Within bound | "
      "Messages back in time | Refused |\n|---|---|---|---|---|---|---|---|---|\n");
  for (const tracebraid::generate::World world : tracebraid::generate::kWorlds)
    tracebraid::measure(world, seeds);
  for (const tracebraid::generate::SetBackWorld world : tracebraid::generate::kSetBackWorlds)
    tracebraid::measure(world, seeds);
  return 0;
}
