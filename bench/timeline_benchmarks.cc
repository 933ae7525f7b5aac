// Figures P2, P4 and P5 of docs/spec/viewer.md: the index of the timeline, and answers of tiles.
//
//   timeline_benchmarks [--check] [SLICES [TRACKS [DEPTH [THREADS]]]]
//
// Makes the tables in memory, so that the figures have no import in them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <string_view>
#include <thread>

#include "timeline/test_store.h"
#include "timeline/tiles/tiles.h"

namespace {

using namespace tracebraid;            // NOLINT
using namespace tracebraid::timeline;  // NOLINT
using Clock = std::chrono::steady_clock;

constexpr uint32_t kRequests = 10'000;
constexpr uint32_t kTracksOfRequest = 16, kTilesOfTrack = 4;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// Processor time of this thread, which other programs on the machine change less.
double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

int g_beyond = 0;
void report(std::string_view what, double value, double limit, std::string_view unit) {
  const bool is_fine = value <= limit;
  g_beyond += is_fine ? 0 : 1;
  fmt::print("{}: {:.2f} {} (at most {:g} {}){}\n", what, value, unit, limit, unit,
             is_fine ? "" : "  BEYOND THE LIMIT");
  std::fflush(stdout);
}

double percentile(std::vector<double>& values, double share) {
  const auto at = static_cast<size_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(at), values.end());
  return values[at];
}

// Random pans and zooms: a window of 4 tiles at any time and zoom, over adjacent tracks.
void measure_requests(const Timeline& timeline, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto end = static_cast<uint64_t>(timeline.store().trace_end);
  // The most distant level shows the whole trace in 1024 to 2048 buckets.
  const auto top = static_cast<unsigned>(std::bit_width(end >> 11));
  std::vector<double> times, processor_times;
  uint64_t bytes = 0;
  for (uint32_t request = 0; request < kRequests; ++request) {
    const auto level = static_cast<unsigned>(random() % (top + 1));
    const auto middle = static_cast<int64_t>(random() % end);
    const int64_t first = std::max<int64_t>((middle >> (level + kTileBits)) - kTilesOfTrack / 2, 0);
    const size_t tracks = timeline.tracks().size();
    const size_t from = random() % std::max<size_t>(tracks - kTracksOfRequest, 1);
    const Clock::time_point begin = Clock::now();
    const double processor_begin = processor_ms();
    for (size_t track = from; track < std::min<size_t>(from + kTracksOfRequest, tracks); ++track) {
      const Result<std::string> frame = make_tiles(
          timeline, {.node = static_cast<uint32_t>(track), .range = {level, first, kTilesOfTrack}},
          Stop());
      if (!frame) std::abort();
      bytes += frame->size();
    }
    times.push_back(ms_since(begin));
    processor_times.push_back(processor_ms() - processor_begin);
  }
  fmt::print("answers have {:.1f} KiB on average\n", static_cast<double>(bytes) / kRequests / 1024);
  report("P2 one request of 64 tiles, p50", percentile(times, 0.5), 2, "ms");
  report("P2 one request of 64 tiles, p99", percentile(times, 0.99), 10, "ms");
  fmt::print("processor time of a request: p50 {:.2f} ms, p99 {:.2f} ms, all {:.0f} ms\n",
             percentile(processor_times, 0.5), percentile(processor_times, 0.99),
             std::accumulate(processor_times.begin(), processor_times.end(), 0.0));
}

int run(const MadeSlices& made, unsigned threads) {
  const auto slices = static_cast<double>(made.slices);
  fmt::print("{} slices on {} tracks, up to {} deep; {} threads\n", made.slices, made.tracks,
             made.depth, threads);
  Store store;
  Clock::time_point begin = Clock::now();
  fill_store(store, made);
  fmt::print("tables made in {:.0f} ms\n", ms_since(begin));

  Timeline timeline(store, {.threads = threads, .memory = uint64_t{16} << 30});
  begin = Clock::now();
  if (!timeline.prepare(Stop())) return 1;
  // The limit is of 100 M slices on two processors.
  report("P4 row lists and tree", ms_since(begin), std::max(3000.0 * slices / 1e8, 50.0), "ms");

  begin = Clock::now();
  const auto level =
      static_cast<unsigned>(std::bit_width(static_cast<uint64_t>(store.trace_end) >> 11));
  if (!make_tiles(timeline, {.node = 0, .range = {level, 0, kTilesOfTrack}}, Stop())) return 1;
  const double of_first = static_cast<double>(timeline.tracks()[0].events);
  report(fmt::format("P4 first tiles of a track of {:.0f} slices", of_first), ms_since(begin),
         60 * std::max(of_first / 1e6, 0.1), "ms");

  begin = Clock::now();
  bool was_cold = false;
  for (uint32_t track = 0; track < timeline.tracks().size(); ++track)
    timeline.index(track, was_cold);
  fmt::print("all indexes made in {:.0f} ms by one thread\n", ms_since(begin));
  const double rows = static_cast<double>(timeline.row_list_bytes()) / slices;
  const double columns = static_cast<double>(timeline.index_bytes()) / slices;
  fmt::print("row lists {:.2f} B, starts, lengths and blocks {:.2f} B a slice\n", rows, columns);
  report("P5 index", rows + columns, 8, "B a slice");
  measure_requests(timeline, made.seed + 1);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bool checks = argc > 1 && std::string_view(argv[1]) == "--check";
  const int first = checks ? 2 : 1;
  const auto number = [&](int at, uint64_t otherwise) {
    return argc > first + at ? std::strtoull(argv[first + at], nullptr, 10) : otherwise;
  };
  MadeSlices made{.slices = number(0, 100'000'000),
                  .tracks = static_cast<uint32_t>(number(1, 2000)),
                  .depth = static_cast<uint32_t>(number(2, 5)),
                  .busy_factor = 20};
  const int status = run(
      made, static_cast<unsigned>(number(3, std::max(std::thread::hardware_concurrency(), 1U))));
  return status != 0 || (checks && g_beyond > 0) ? 1 : 0;
}
