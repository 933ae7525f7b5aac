// Truncated and randomly changed traces: the reader returns, and its batches are consistent.
#include <gtest/gtest.h>

#include <random>

#include "format/batch_check.h"
#include "format/proto/test_trace.h"
#include "format/test_inputs.h"

namespace tracebraid::proto {
namespace {

// Returns each trace once.
std::vector<std::string> small_traces() {
  std::vector<std::string> all;
  for (auto& [path, bytes] : inputs_of_vectors("perfetto-proto"))
    if (path.extension() == ".pb" && (all.empty() || all.back() != bytes))
      all.push_back(std::move(bytes));
  return all;
}

TEST(Damage, NeverMakesABatchUnsound) {
  const std::vector<std::string> traces = small_traces();
  if (traces.empty()) GTEST_SKIP() << "TRACEBRAID_VECTORS is not set";
  std::mt19937 random(3);
  for (const std::string& whole : traces) {
    ASSERT_EQ(flaw_of(read_bytes(whole).batch), "");
    for (int round = 0; round < 30; ++round) {
      std::string bytes = whole;
      if (bytes.empty()) continue;
      for (uint32_t i = 0; i <= random() % 4; ++i)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      if (random() % 3 == 0) bytes.resize(random() % bytes.size());
      ASSERT_EQ(flaw_of(read_bytes(bytes).batch), "");
    }
  }
}

}  // namespace
}  // namespace tracebraid::proto
