// The inner loops of importing, measured separately.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "base/string_pool.h"
#include "clock/clock_graph.h"

namespace tracebraid {
namespace {

std::vector<std::string> names(size_t count) {
  std::vector<std::string> all;
  for (size_t i = 0; i < count; ++i) all.push_back("com.example.Task::run#" + std::to_string(i));
  return all;
}

// Every string is new.
void intern_new(benchmark::State& state) {
  const std::vector<std::string> all = names(static_cast<size_t>(state.range(0)));
  for (auto _ : state) {
    StringPool pool;
    for (const std::string& name : all) benchmark::DoNotOptimize(pool.intern(name));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(intern_new)->Range(1 << 10, 1 << 20);

// The usual case: the string is in the pool.
void intern_known(benchmark::State& state) {
  const std::vector<std::string> all = names(static_cast<size_t>(state.range(0)));
  StringPool pool;
  for (const std::string& name : all) pool.intern(name);
  for (auto _ : state)
    for (const std::string& name : all) benchmark::DoNotOptimize(pool.intern(name));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(intern_known)->Range(1 << 10, 1 << 20);

// Joins the strings of one file with those of all files; half of them are known there.
void adopt_pool(benchmark::State& state) {
  const auto count = static_cast<size_t>(state.range(0));
  const std::vector<std::string> all = names(count + count / 2);
  for (auto _ : state) {
    state.PauseTiming();
    StringPool pool, other;
    for (size_t i = 0; i < count; ++i) pool.intern(all[i]);
    for (size_t i = count / 2; i < all.size(); ++i) other.intern(all[i]);
    state.ResumeTiming();
    benchmark::DoNotOptimize(pool.adopt(std::move(other)));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(adopt_pool)->Range(1 << 10, 1 << 16);

constexpr int64_t kSecond = 1'000'000'000;

// Trace time is BOOTTIME; the other clock is read with it once a second, and loses 1 us per second.
struct TwoClocks {
  ClockGraph graph;
  ClockId trace_time, other;
};

TwoClocks two_clocks(int64_t snapshots) {
  TwoClocks clocks;
  clocks.trace_time = clocks.graph.add({.domain = domain::kBoottime, .machine = MachineId{0}});
  clocks.other = clocks.graph.add({.domain = domain::kMonotonic, .machine = MachineId{0}});
  clocks.graph.set_trace_time(clocks.trace_time);
  for (int64_t i = 0; i < snapshots; ++i) {
    const ClockReading readings[] = {{clocks.trace_time, i * kSecond},
                                     {clocks.other, i * (kSecond - 1000)}};
    if (!clocks.graph.add_snapshot(readings, {})) std::abort();
  }
  return clocks;
}

// range(0): snapshots; range(1): 1 if the readings increase, as in files.
void place_readings(benchmark::State& state, ClockModel model) {
  const TwoClocks clocks = two_clocks(state.range(0));
  const Placement placement = clocks.graph.solve(model);
  PlaceCursor cursor = placement.cursor(clocks.other);
  std::mt19937_64 random(1);
  std::vector<int64_t> readings(1 << 16);
  for (int64_t& reading : readings)
    reading = static_cast<int64_t>(random() % static_cast<uint64_t>(state.range(0) * kSecond));
  if (state.range(1) == 1) std::sort(readings.begin(), readings.end());
  for (auto _ : state) {
    for (const int64_t reading : readings) {
      int64_t ns = 0;
      cursor.place(reading, ns);
      benchmark::DoNotOptimize(ns);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(readings.size()));
}
BENCHMARK_CAPTURE(place_readings, step, ClockModel::Step)->ArgsProduct({{1, 100, 10'000}, {0, 1}});
BENCHMARK_CAPTURE(place_readings, linear, ClockModel::Linear)
    ->ArgsProduct({{1, 100, 10'000}, {0, 1}});

void solve(benchmark::State& state) {
  const TwoClocks clocks = two_clocks(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(clocks.graph.solve(ClockModel::Step));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(solve)->Range(1 << 4, 1 << 16);

}  // namespace
}  // namespace tracebraid

BENCHMARK_MAIN();
