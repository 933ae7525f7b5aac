// Programs that run the statements of a file over a trace: opening it, reading the file, clocks.
//
// Usage of such a program: NAME TRACE FILE [COUNT]; FILE has a statement a line: NAME <tab> SQL. A
// line without a name runs once and is not measured.
#pragma once

#include <fmt/core.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "engine/connection.h"
#include "engine/engine.h"
#include "engine/trace.h"

namespace tracebraid {

inline double wall_ms() {
  using std::chrono::duration, std::chrono::steady_clock;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

// CPU time of all threads.
inline double cpu_ms() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

template <class T>
T or_exit(Result<T> result, std::string_view what) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}: {}\n", what, result.error().message);
  std::exit(1);
}

inline auto open_connection(const std::string& path) {
  std::shared_ptr<const Engine> engine = or_exit(Engine::create({}), "engine");
  Progress progress;
  const std::vector<std::string> inputs = {path};
  const auto trace =
      or_exit(Trace::open(engine, std::span<const std::string>(inputs), {}, progress), path);
  return or_exit(TraceConnection::open(trace), path);
}

// Calls run(name, sql) for each statement of a file; the name of those that are not measured is
// empty.
template <class Run>
void for_each_statement(const char* path, Run run) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (const size_t tab = line.find('\t'); tab != std::string::npos)
      run(line.substr(0, tab), line.substr(tab + 1));
}

// Calls run(trace, file, count) for the arguments of main().
template <class Run>
int run_program(int argc, char** argv, std::string_view name, std::string_view count, int usual,
                Run run) {
  constexpr int kArguments = 3;
  if (argc < kArguments) {
    fmt::print(stderr, "usage: {} TRACE FILE [{}]\n", name, count);
    return 2;
  }
  stop_counting_sqlite_memory();
  run(argv[1], argv[2], argc > kArguments ? std::atoi(argv[kArguments]) : usual);
  return 0;
}

}  // namespace tracebraid
