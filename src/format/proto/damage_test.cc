// Traces cut off and changed at random: the reader comes back, and what it says is sound.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "format/batch_check.h"
#include "format/proto/test_trace.h"

namespace tracebraid::proto {
namespace {

std::vector<std::string> small_traces() {
  std::vector<std::string> all;
  const char* source = std::getenv("TRACEBRAID_SOURCE");
  if (source == nullptr) return all;
  const std::filesystem::path folder = std::filesystem::path(source) / "vectors/perfetto-proto";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    paths.push_back(entry.path() / "trace.pb");
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    if (file && (all.empty() || all.back() != bytes.str())) all.push_back(bytes.str());
  }
  return all;
}

TEST(Damage, NeverMakesABatchUnsound) {
  const std::vector<std::string> traces = small_traces();
  if (traces.empty()) GTEST_SKIP() << "TRACEBRAID_SOURCE is not set";
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
