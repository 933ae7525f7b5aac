// Statements over a trace, planned by tracebraid and as SQLite alone runs them. Prints a table of
// milliseconds (wall time and CPU time of all threads), rows and memory.
//
// Usage: sql_benchmarks TRACE FILE [REPEATS] (statements.h)
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>

#include "query/compile/connection.h"
#include "statements.h"

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

long peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
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

void run_benchmarks(const std::string& trace_path, const char* statements, int repeats) {
  const auto connection = open_connection(trace_path);
  fmt::print(
      "| Statement | ms | CPU ms | CPU ms, SQLite alone | Ratio | Rows | Peak MB |\n"
      "|---|---:|---:|---:|---:|---:|---:|\n");
  for_each_statement(statements, [&](const std::string& name, const std::string& sql) {
    const Measured planned =
        measure(*connection, sql, Connection::kLeastRowsToGroup, name.empty() ? 1 : repeats);
    if (name.empty()) return;
    const long peak = peak_mb();
    const Measured plain = measure(*connection, sql, std::numeric_limits<size_t>::max(), 1);
    if (plain.digest.rows != planned.digest.rows || plain.digest.hash != planned.digest.hash) {
      fmt::print(stderr, "{}: the results differ\n", name);
      std::exit(1);
    }
    fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {} | {} |\n", name, planned.wall_ms,
               planned.cpu_ms, plain.cpu_ms, plain.cpu_ms / std::max(planned.cpu_ms, 0.01),
               planned.digest.rows, peak);
    std::fflush(stdout);
  });
}

}  // namespace
}  // namespace tracebraid

int main(int argc, char** argv) {
  return tracebraid::run_program(argc, argv, "sql_benchmarks", "REPEATS", 3,
                                 tracebraid::run_benchmarks);
}
