// Opens any bytes as an input, from detection to the tables, and reads every table completely. Must
// not crash or hang.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/connection.h"
#include "fuzz/limits.h"

namespace tracebraid {
namespace {

struct Ignored final : RowSink {
  void columns(std::span<const std::string>) override {}
  bool row(std::span<const Cell>) override { return true; }
};

}  // namespace
}  // namespace tracebraid

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tracebraid;
  static const int file = memfd_create("input", 0);
  if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != ssize_t(size))
    std::abort();
  const std::vector<std::string> inputs{"/proc/self/fd/" + std::to_string(file)};
  TraceOptions options;
  options.limits = kFuzzLimits;
  Progress progress;
  const auto trace = Trace::open(*Engine::create({.threads = 1}), inputs, options, progress);
  if (!trace) return 0;
  const auto connection = TraceConnection::open(*trace);
  if (!connection) std::abort();
  Ignored sink;
  const std::vector<RelationInfo> relations = *(*connection)->relations();
  for (const RelationInfo& relation : relations)
    if (!(*connection)->run("SELECT * FROM " + relation.name, sink)) std::abort();
  return 0;
}
