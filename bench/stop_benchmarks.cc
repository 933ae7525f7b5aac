// Statements over a trace that are stopped: how long each runs on after the request. Prints a table
// of milliseconds: wall time, and CPU time of all threads.
//
// Usage: stop_benchmarks TRACE FILE [STOPS] (statements.h)
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "statements.h"

namespace tracebraid {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

struct Moment {
  double wall_ms, cpu_ms;

  static Moment now() { return {tracebraid::wall_ms(), tracebraid::cpu_ms()}; }
};

class NoRows final : public BatchSink {
 public:
  void begin(const Schema&) override {}
  bool add(const RecordBatch&) override { return true; }
};

// A request at a time from now, and the moment at which it was made.
class Request {
 public:
  Request(TraceConnection& connection, double after_ms)
      : thread_([this, &connection, after_ms] {
          std::unique_lock lock(mutex_);
          if (done_.wait_for(lock, Milliseconds(after_ms), [this] { return is_done_; })) return;
          made_ = Moment::now();
          connection.interrupt();
        }) {}
  ~Request() { finish(); }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  // Returns nothing if the statement ended first.
  std::optional<Moment> finish() {
    {
      const std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    done_.notify_one();
    if (thread_.joinable()) thread_.join();
    return made_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false;
  std::optional<Moment> made_;
  std::thread thread_;
};

// Returns false if the statements were stopped.
bool run(TraceConnection& connection, const std::string& sql) {
  NoRows rows;
  const Result<> ran = connection.run(sql, rows);
  if (ran || ran.error().code == ErrorCode::Cancelled) return ran.has_value();
  fmt::print(stderr, "{}: {}\n", sql, ran.error().message);
  std::exit(1);
}

void run_benchmarks(const std::string& trace_path, const char* statements, int stops) {
  const auto connection = open_connection(trace_path);
  fmt::print(
      "| Statement | ms | Stopped | Latest end, ms | CPU ms | At, ms |\n"
      "|---|---:|---:|---:|---:|---:|\n");
  for_each_statement(statements, [&](const std::string& name, const std::string& sql) {
    constexpr double kMostMs = 5000;
    const double begin_ms = Moment::now().wall_ms;
    if (const auto limit = std::make_unique<Request>(*connection, name.empty() ? 1e6 : kMostMs);
        run(*connection, sql) && limit->finish())
      run(*connection, "SELECT 1");  // takes the late request
    const double whole_ms = Moment::now().wall_ms - begin_ms;
    if (name.empty()) return;
    int stopped = 0;
    double latest_ms = 0, most_cpu_ms = 0, at_ms = 0;
    for (int i = 0; i < stops; ++i) {
      const double after_ms = whole_ms * (i + 0.5) / stops;
      Request request(*connection, after_ms);
      const bool ended = run(*connection, sql);
      const Moment end = Moment::now();
      const std::optional<Moment> made = request.finish();
      if (made && ended) run(*connection, "SELECT 1");  // takes the late request
      if (!made || ended) continue;
      ++stopped;
      latest_ms = std::max(latest_ms, end.wall_ms - made->wall_ms);
      if (end.cpu_ms - made->cpu_ms > most_cpu_ms) {
        most_cpu_ms = end.cpu_ms - made->cpu_ms;
        at_ms = after_ms;
      }
    }
    fmt::print("| {} | {:.0f} | {} | {:.1f} | {:.1f} | {:.0f} |\n", name, whole_ms, stopped,
               latest_ms, most_cpu_ms, at_ms);
    std::fflush(stdout);
  });
}

}  // namespace
}  // namespace tracebraid

int main(int argc, char** argv) {
  return tracebraid::run_program(argc, argv, "stop_benchmarks", "STOPS", 10,
                                 tracebraid::run_benchmarks);
}
