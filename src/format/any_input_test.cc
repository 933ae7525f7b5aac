// Every reader over the inputs of other formats, whole and cut in half: it comes back, and what it
// says is sound.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "format/batch_check.h"
#include "format/format.h"

namespace tracebraid {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> small_inputs() {
  constexpr size_t kSmall = size_t{64} << 10;
  std::vector<fs::path> all;
  const char* source = std::getenv("TRACEBRAID_SOURCE");
  if (source == nullptr) return all;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(source) / "vectors")) {
    const bool is_input = entry.path().filename().string().starts_with("trace.");
    if (is_input && entry.is_regular_file() && entry.file_size() <= kSmall)
      all.push_back(entry.path());
  }
  std::ranges::sort(all);
  return all;
}

std::string flaw_of_reading(const Format& format, std::string_view bytes) {
  Workers workers(1);
  Pieces pieces(workers);
  Input input(bytes);
  static_cast<void>(format.read(input, {}, pieces));  // an error says that the rest was given up
  std::string flaws;
  for (const EventBatch& batch : std::move(pieces).finish()) flaws += flaw_of(batch);
  return flaws;
}

TEST(AnyInput, NeverMakesABatchUnsound) {
  const std::vector<fs::path> inputs = small_inputs();
  if (inputs.empty()) GTEST_SKIP() << "TRACEBRAID_SOURCE is not set";
  for (const fs::path& path : inputs) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    for (const Format* format : all_formats()) {
      if (format->read == nullptr) continue;
      EXPECT_EQ(flaw_of_reading(*format, bytes), "") << format->name << ": " << path;
      EXPECT_EQ(flaw_of_reading(*format, std::string_view(bytes).substr(0, bytes.size() / 2)), "")
          << format->name << ": half of " << path;
    }
  }
}

}  // namespace
}  // namespace tracebraid
