// Benchmarks of converting readings, and of placing the clocks of many files.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "clock/contradictions.h"
#include "clock/error_bounds.h"

namespace tracebraid {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Returns a chain of clocks. Each is read together with the next one once a second, and loses about
// 1 us per second against it.
ClockGraph chain(uint32_t clocks, int64_t snapshots) {
  ClockGraph graph;
  std::mt19937_64 random(1);
  for (uint32_t c = 0; c < clocks; ++c) graph.add({.domain = 100 + c, .machine = MachineId{0}});
  graph.set_trace_time(ClockId{0});
  for (uint32_t c = 0; c + 1 < clocks; ++c) {
    int64_t lost = 0;
    for (int64_t i = 0; i < snapshots; ++i) {
      const ClockReading readings[] = {{ClockId{c}, i * kSecond},
                                       {ClockId{c + 1}, i * kSecond - lost}};
      if (!graph.add_snapshot(readings, {.uncertainty_ns = 10})) std::abort();
      lost += static_cast<int64_t>(900 + random() % 200);
    }
  }
  return graph;
}

// range(0): snapshots of each of the three hops; range(1): 1 if the readings increase.
void place_over_three_hops(benchmark::State& state, ClockModel model) {
  const ClockGraph graph = chain(4, state.range(0));
  const Placement placement = graph.solve(model);
  PlaceCursor cursor = placement.cursor(ClockId{3});
  std::mt19937_64 random(1);
  std::vector<int64_t> readings(1 << 18);
  for (int64_t& reading : readings)
    reading = static_cast<int64_t>(random() % static_cast<uint64_t>(state.range(0) * kSecond));
  if (state.range(1) == 1) std::ranges::sort(readings);
  for (auto _ : state) {
    for (const int64_t reading : readings) {
      int64_t ns = 0;
      cursor.place(reading, ns);
      benchmark::DoNotOptimize(ns);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(readings.size()));
}
BENCHMARK_CAPTURE(place_over_three_hops, step, ClockModel::Step)->ArgsProduct({{1, 10'000}, {1}});
BENCHMARK_CAPTURE(place_over_three_hops, linear, ClockModel::Linear)
    ->ArgsProduct({{1, 10'000}, {0, 1}});

// Returns a graph of files of different machines that meet on wall-clock time, each with BOOTTIME
// and REALTIME.
ClockGraph many_files(uint32_t files, int64_t snapshots) {
  ClockGraph graph;
  std::vector<ClockId> wall;
  for (uint32_t f = 0; f < files; ++f) {
    const ClockId boot = graph.add({.domain = domain::kBoottime, .machine = MachineId{f}});
    wall.push_back(graph.add({.domain = domain::kRealtime, .machine = MachineId{f}}));
    if (f == 0) graph.set_trace_time(boot);
    for (int64_t i = 0; i < snapshots; ++i) {
      const ClockReading readings[] = {{boot, i * kSecond},
                                       {wall.back(), (1'700'000'000 + i) * kSecond + i * 5'000}};
      if (!graph.add_snapshot(readings, {})) std::abort();
    }
    if (f > 0 && !graph.tie(wall[f], wall[0], EvidenceKind::Rendezvous)) std::abort();
  }
  return graph;
}

// range(0): files, with 1000 snapshots each.
void build_graph(benchmark::State& state) {
  const auto files = static_cast<uint32_t>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(many_files(files, 1000));
  state.SetItemsProcessed(state.iterations() * state.range(0) * 1000);
}
BENCHMARK(build_graph)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(10, 10'000);

void solve_graph(benchmark::State& state, ClockModel model) {
  const ClockGraph graph = many_files(static_cast<uint32_t>(state.range(0)), 1000);
  for (auto _ : state) benchmark::DoNotOptimize(graph.solve(model));
  state.SetItemsProcessed(state.iterations() * state.range(0) * 1000);
}
BENCHMARK_CAPTURE(solve_graph, linear, ClockModel::Linear)
    ->Unit(benchmark::kMillisecond)
    ->RangeMultiplier(10)
    ->Range(10, 10'000);

void check_graph(benchmark::State& state) {
  const ClockGraph graph = many_files(static_cast<uint32_t>(state.range(0)), 1000);
  const Placement placement = graph.solve(ClockModel::Linear);
  for (auto _ : state) {
    ErrorBounds bounds(graph, placement);
    benchmark::DoNotOptimize(find_contradictions(graph, placement, bounds));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * 1000);
}
BENCHMARK(check_graph)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(10, 10'000);

}  // namespace
}  // namespace tracebraid

BENCHMARK_MAIN();
