// Benchmarks of relating clocks by content: figures of spec alignment 14.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "merge/align/causality.h"
#include "merge/align/collectives.h"
#include "merge/align/equal.h"
#include "merge/align/network.h"
#include "merge/align/ordered.h"

namespace tracebraid::align {
namespace {

constexpr double kSpan = 600e9;  // ns
constexpr double kRate = 3e-5;

double drawn(std::mt19937_64& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

// Returns causes and effects of two clocks, sorted by x, half of them each way. A share of them is
// wrong by up to a second. The rate follows a sine of `wander`.
std::vector<Constraint> causes(size_t count, double wrong, double wander) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> tail(1 / 20e3);
  std::vector<Constraint> all;
  for (size_t i = 0; i < count; ++i) {
    const double x = kSpan * static_cast<double>(i) / static_cast<double>(count);
    const double turns = 2 * M_PI / 200e9;
    const double theta = 5e9 + kRate * x - wander / turns * std::cos(turns * x);
    const double takes = 100e3 + tail(random);
    const double error = drawn(random, 0, 1) < wrong ? drawn(random, -1e9, 1e9) : 0;
    const auto at = static_cast<int64_t>(x);
    if (i % 2 == 0)
      all.push_back({.x = at, .high = std::llround(theta + takes + error)});
    else
      all.push_back({.x = at, .low = std::llround(theta - takes + error)});
  }
  return all;
}

// range(0): constraints; range(1): share of wrong ones, %; range(2): change of the rate, ppm.
void fit_causes(benchmark::State& state) {
  const std::vector<Constraint> all =
      causes(static_cast<size_t>(state.range(0)), static_cast<double>(state.range(1)) / 100,
             static_cast<double>(state.range(2)) * 1e-6);
  const OrderedOptions options{.first_x = 0, .last_x = static_cast<int64_t>(kSpan)};
  for (auto _ : state) {
    const OrderedFit fit = fit_ordered(all, options);
    if (fit.reason != Reason::None)
      return state.SkipWithError(std::string(name_of(fit.reason)).c_str());
    benchmark::DoNotOptimize(fit.knots.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(fit_causes)
    ->ArgsProduct({{10'000, 100'000, 1'000'000}, {0, 10}, {0, 10}})
    ->Unit(benchmark::kMillisecond);

// range(0): moments that both clocks noted; range(1): their spread, in least tolerances.
void fit_moments(benchmark::State& state) {
  std::mt19937_64 random(1);
  std::vector<Moment> all;
  const auto count = static_cast<size_t>(state.range(0));
  for (size_t i = 0; i < count; ++i) {
    const double x = kSpan * static_cast<double>(i) / static_cast<double>(count);
    all.push_back({static_cast<int64_t>(x),
                   std::llround(5e9 + kRate * x +
                                drawn(random, 0, 20e3 * static_cast<double>(state.range(1))))});
  }
  const EqualOptions options{
      .floor_ns = 10'000, .first_x = 0, .last_x = static_cast<int64_t>(kSpan)};
  for (auto _ : state) {
    const EqualFit fit = fit_equal(all, options);
    if (fit.reason != Reason::None)
      return state.SkipWithError(std::string(name_of(fit.reason)).c_str());
    benchmark::DoNotOptimize(fit.knots.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(fit_moments)->ArgsProduct({{10'000, 1'000'000}, {1, 10}})->Unit(benchmark::kMillisecond);

// range(0): files; range(1): edges between them; range(2): how many of these are 10 ms off.
void solve_graph(benchmark::State& state) {
  constexpr size_t kMoments = 13;
  std::mt19937_64 random(1);
  const auto nodes = static_cast<uint32_t>(state.range(0));
  std::vector<double> truth(nodes);
  for (double& offset : truth) offset = drawn(random, -1e9, 1e9);
  std::vector<NetworkEdge> edges;
  for (uint32_t i = 0; i < static_cast<uint32_t>(state.range(1)); ++i) {
    const uint32_t b = i < nodes - 1 ? i + 1 : static_cast<uint32_t>(1 + random() % (nodes - 1));
    const auto a = static_cast<uint32_t>(random() % b);
    const double bound = drawn(random, 10e3, 100e3);
    const double off = i >= nodes && i < nodes + state.range(2) ? 10e6 : 0;
    NetworkEdge edge{a, b, {}, {}};
    for (size_t k = 0; k < kMoments; ++k) {
      edge.apart.push_back(truth[b] - truth[a] + drawn(random, -bound, bound) + off);
      edge.bound.push_back(bound);
    }
    edges.push_back(std::move(edge));
  }
  for (auto _ : state) {
    const NetworkSolution found = solve_network(nodes, edges);
    if (found.has_too_many) std::abort();
    benchmark::DoNotOptimize(found.offsets.data());
  }
}
BENCHMARK(solve_graph)
    ->Args({2'000, 20'000, 0})
    ->Args({2'000, 20'000, 20})
    ->Unit(benchmark::kMillisecond);

// Files with one clock each and events from 0 to kSpan.
struct MadeFiles {
  std::vector<EventBatch> batches;
  Trackers trackers;
  ClockGraph graph;
  std::vector<std::vector<ClockId>> nodes;

  explicit MadeFiles(uint32_t count) : batches(count) {
    for (uint32_t i = 0; i < count; ++i) {
      EventBatch& batch = batches[i];
      batch.clocks.push_back({.domain = kPrivateClock});
      batch.streams.resize(1);
      for (const int64_t ts : {int64_t{0}, static_cast<int64_t>(kSpan)})
        batch.streams[0].events.push_back({.ts = ts});
      trackers.all.push_back({.file = i, .machine = MachineId{0}});
      trackers.batches.push_back({.file = i, .batch = &batch, .by_machine = {i}});
      nodes.push_back({graph.add({.domain = kPrivateClock, .file = FileId{i}})});
    }
    graph.set_trace_time(nodes[0][0]);
  }
};

// range(0): ranks; range(1): numbered operations of each.
void match_ranks(benchmark::State& state) {
  const auto count = static_cast<uint32_t>(state.range(0));
  const MadeFiles files(count);
  std::mt19937_64 random(1);
  std::vector<RankRecording> ranks(count);
  for (uint32_t i = 0; i < count; ++i)
    ranks[i] = {{i, 0}, FileId{i}, i, count, {}, {}, {"0 allreduce"}};
  for (int64_t k = 0; k < state.range(1); ++k) {
    const double at = kSpan * static_cast<double>(k) / static_cast<double>(state.range(1));
    for (uint32_t i = 0; i < count; ++i) {
      const double own = at + 1e6 * i + 1e-7 * i * at;
      ranks[i].operations.push_back({.key = static_cast<uint64_t>(k),
                                     .ranks = 7,
                                     .number = static_cast<uint64_t>(k),
                                     .start = std::llround(own),
                                     .end = std::llround(own + 1e6 + drawn(random, 0, 20e3))});
    }
  }
  for (auto _ : state) {
    const std::vector<MatchSet> sets = match_collectives(ranks, files.trackers);
    if (sets.size() + 1 != count || sets.back().reason != Reason::None)
      return state.SkipWithError("refused");
    benchmark::DoNotOptimize(sets.data());
  }
}
BENCHMARK(match_ranks)->Args({8, 5'000})->Args({512, 5'000})->Unit(benchmark::kMillisecond);

// range(0): pairs of two files, some of them within the bound.
void check_causes(benchmark::State& state) {
  MadeFiles files(2);
  for (int64_t at = 0; at <= static_cast<int64_t>(kSpan); at += 1'000'000'000) {
    const ClockReading both[] = {{files.nodes[0][0], at}, {files.nodes[1][0], at + at / 100'000}};
    if (!files.graph.add_snapshot(both, {.uncertainty_ns = 50'000})) std::abort();
  }
  const Placement placement = files.graph.solve(ClockModel::Linear);
  const PlacedClocks placed{files.graph, placement, files.nodes};
  std::vector<Recording> recordings;
  for (uint32_t i = 0; i < 2; ++i) recordings.push_back({{i, 0}, FileId{i}, i});
  std::mt19937_64 random(1);
  CauseLinks links;
  for (int64_t i = 0; i < state.range(0); ++i) {
    const int64_t at = static_cast<int64_t>(kSpan) / state.range(0) * i;
    const int64_t takes =
        i % 100'000 == 0 ? -40'000 : static_cast<int64_t>(20'000 + random() % 1'000'000);
    const auto id = static_cast<uint64_t>(i);
    if (i % 2 == 0)
      add_link(0, at, 1, at + at / 100'000 + takes, {.key = id, .id = id}, recordings, links);
    else
      add_link(1, at + at / 100'000, 0, at + takes, {.key = id, .id = id}, recordings, links);
  }
  sort_links(links);
  const Causes causes{"flows", EvidenceSource::Flows, recordings, &links};
  for (auto _ : state) {
    Store store;
    const CausalityInput input{{}, std::span(&causes, 1)};
    const auto found = check_causality(input, files.trackers, placed, nullptr, store);
    if (found.size() != static_cast<size_t>(state.range(0) / 100'000))
      return state.SkipWithError("violations");
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(check_causes)->Arg(10'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tracebraid::align

BENCHMARK_MAIN();
