// Runs any text as SQL over a small merged trace: gives an error or rows, does not crash and writes
// no files.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "engine/connection.h"

namespace tracebraid {
namespace {

constexpr std::string_view kTrace = R"([
{"ph":"X","ts":1,"dur":9,"pid":1,"tid":2,"name":"outer","cat":"a,b","args":{"n":1,"s":"text"}},
{"ph":"X","ts":2,"dur":3,"pid":1,"tid":2,"name":"inner","args":{"list":[1,2.5,null]}},
{"ph":"C","ts":3,"pid":1,"name":"memory","args":{"used":7}},
{"ph":"s","ts":2,"pid":1,"tid":2,"id":5,"name":"flow"},
{"ph":"f","ts":8,"pid":1,"tid":3,"id":5,"name":"flow","bp":"e"},
{"ph":"X","ts":8,"dur":1,"pid":1,"tid":3,"name":"end"},
{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"main"}}
])";

// Stops a statement with endless rows.
struct Few final : RowSink {
  int rows = 0;
  void columns(std::span<const std::string>) override {}
  bool row(std::span<const Cell>) override { return ++rows < 10'000; }
};

std::shared_ptr<const Trace> open_trace() {
  const int file = memfd_create("trace", 0);
  if (write(file, kTrace.data(), kTrace.size()) != ssize_t(kTrace.size())) std::abort();
  Progress progress;
  const std::vector<std::string> inputs{"/proc/self/fd/" + std::to_string(file)};
  const auto trace = Trace::open(*Engine::create({.threads = 1}), inputs, {}, progress);
  if (!trace) std::abort();
  return *trace;
}

// Returns true if statements may change what later ones see, or leave a transaction open.
bool may_change_connection(std::string_view text) {
  const std::string lower = in_lower_case(text);
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"create", "include", "import", "drop", "begin",
                                              "savepoint", "attach", "pragma", "memoize"},
      [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

// Stops a statement without rows.
void stop_after_a_second(TraceConnection& connection) {
  static TraceConnection* running = nullptr;
  running = &connection;
  signal(SIGALRM, [](int) { running->interrupt(); });
  alarm(1);
}

}  // namespace
}  // namespace tracebraid

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tracebraid;
  static const std::shared_ptr<const Trace> trace = open_trace();
  static std::unique_ptr<TraceConnection> connection;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (connection == nullptr) connection = *TraceConnection::open(trace);
  Few sink;
  stop_after_a_second(*connection);
  static_cast<void>(connection->run(text, sink));
  alarm(0);
  if (may_change_connection(text)) connection.reset();
  return 0;
}
