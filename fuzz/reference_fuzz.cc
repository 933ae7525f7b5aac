// Judges any bytes as a strict reader does, and writes the report. Must not crash or hang.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/as_reference.h"
#include "fuzz/limits.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tracebraid;
  static const auto engine = *Engine::create({.threads = 1});
  TraceOptions options;
  options.limits = kFuzzLimits;
  Progress progress;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto report =
      check_as_reference(*engine, buffer_input("input", bytes, nullptr), options, progress);
  if (report && (reference_text(*report).empty() || reference_json(*report).empty())) std::abort();
  return 0;
}
