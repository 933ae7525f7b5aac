// Every reader over the inputs of all formats, whole and cut in half: it returns, and its batches
// are consistent.
#include <gtest/gtest.h>

#include "format/batch_check.h"
#include "format/test_inputs.h"

namespace tracebraid {
namespace {

TEST(AnyInput, NeverMakesABatchUnsound) {
  constexpr size_t kSmall = size_t{64} << 10;
  const std::vector<TestInput> inputs = inputs_of_vectors("");
  if (inputs.empty()) GTEST_SKIP() << "TRACEBRAID_VECTORS is not set";
  for (const auto& [path, bytes] : inputs) {
    if (bytes.size() > kSmall) continue;
    const std::string_view half = std::string_view(bytes).substr(0, bytes.size() / 2);
    for (const Format* format : all_formats()) {
      EXPECT_EQ(flaw_of_reading(*format, bytes), "") << format->name << ": " << path;
      EXPECT_EQ(flaw_of_reading(*format, half), "") << format->name << ": half of " << path;
    }
  }
}

}  // namespace
}  // namespace tracebraid
