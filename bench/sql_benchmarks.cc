// Statements over a trace, planned by tracebraid and as SQLite alone runs them. Prints a table of
// milliseconds (wall time and CPU time of all threads), rows and memory.
//
// Usage: sql_benchmarks TRACE FILE [REPEATS]; FILE has a statement a line: NAME <tab> SQL. A line
// without a name runs once and is not measured.
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "base/progress.h"
#include "engine/connection.h"
#include "engine/engine.h"
#include "engine/trace.h"
#include "query/compile/connection.h"

namespace tracebraid {
namespace {

// Adds up the cells, so that two runs can be compared.
class Digest final : public RowSink {
 public:
  void columns(std::span<const std::string>) override {}
  bool row(std::span<const Cell> cells) override {
    ++rows;
    for (const Cell& cell : cells) {
      hash = hash * 31 + static_cast<uint64_t>(cell.kind);
      hash = hash * 31 + static_cast<uint64_t>(cell.integer);
      for (const char c : cell.text) hash = hash * 31 + static_cast<unsigned char>(c);
    }
    return true;
  }
  void end() override {}

  uint64_t rows = 0, hash = 0;
};

double cpu_ms() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

long peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

template <class T>
T or_exit(Result<T> result, std::string_view what) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}: {}\n", what, result.error().message);
  std::exit(1);
}

double wall_ms() {
  using std::chrono::duration, std::chrono::steady_clock;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

struct Measured {
  double wall_ms = 1e18, cpu_ms = 1e18;  // the least of all runs
  Digest digest;
};

Measured measure(TraceConnection& connection, const std::string& sql, size_t least_rows,
                 int repeats) {
  connection.connection().set_least_rows_to_group(least_rows);
  Measured measured;
  for (int i = 0; i < repeats; ++i) {
    Digest digest;
    const double begin_wall = wall_ms(), begin_cpu = cpu_ms();
    const Result<> ran = connection.run(sql, digest);
    measured.wall_ms = std::min(measured.wall_ms, wall_ms() - begin_wall);
    measured.cpu_ms = std::min(measured.cpu_ms, cpu_ms() - begin_cpu);
    if (!ran) {
      fmt::print(stderr, "{}: {}\n", sql, ran.error().message);
      std::exit(1);
    }
    measured.digest = digest;
  }
  return measured;
}

int run_benchmarks(const std::string& trace_path, const char* statements, int repeats) {
  std::shared_ptr<const Engine> engine = or_exit(Engine::create({}), "engine");
  Progress progress;
  const std::vector<std::string> inputs = {trace_path};
  const auto trace =
      or_exit(Trace::open(engine, std::span<const std::string>(inputs), {}, progress), trace_path);
  const auto connection = or_exit(TraceConnection::open(trace), trace_path);
  fmt::print(
      "| Statement | ms | CPU ms | CPU ms, SQLite alone | Ratio | Rows | Peak MB |\n"
      "|---|---:|---:|---:|---:|---:|---:|\n");
  std::ifstream file(statements);
  for (std::string line; std::getline(file, line);) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    const std::string name = line.substr(0, tab), sql = line.substr(tab + 1);
    const Measured planned =
        measure(*connection, sql, Connection::kLeastRowsToGroup, name.empty() ? 1 : repeats);
    if (name.empty()) continue;
    const long peak = peak_mb();
    const Measured plain = measure(*connection, sql, std::numeric_limits<size_t>::max(), 1);
    if (plain.digest.rows != planned.digest.rows || plain.digest.hash != planned.digest.hash) {
      fmt::print(stderr, "{}: the results differ\n", name);
      return 1;
    }
    fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {} | {} |\n", name, planned.wall_ms,
               planned.cpu_ms, plain.cpu_ms, plain.cpu_ms / std::max(planned.cpu_ms, 0.01),
               planned.digest.rows, peak);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace tracebraid

int main(int argc, char** argv) {
  constexpr int kArguments = 3;
  if (argc < kArguments) {
    fmt::print(stderr, "usage: sql_benchmarks TRACE FILE [REPEATS]\n");
    return 2;
  }
  tracebraid::stop_counting_sqlite_memory();
  return tracebraid::run_benchmarks(argv[1], argv[2],
                                    argc > kArguments ? std::atoi(argv[kArguments]) : 3);
}
