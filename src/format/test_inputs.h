// The inputs of the data vectors, for tests of readers. tests/vectors_test.py --materialise writes
// them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracebraid {

struct TestInput {
  std::filesystem::path path;
  std::string bytes;
};

// Returns the inputs of one area, or of all if it is empty, by path. Empty if TRACEBRAID_VECTORS is
// not set.
inline std::vector<TestInput> inputs_of_vectors(std::string_view area) {
  namespace fs = std::filesystem;
  std::vector<TestInput> all;
  const char* vectors = std::getenv("TRACEBRAID_VECTORS");
  if (vectors == nullptr) return all;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(vectors) / area)) {
    if (!entry.is_regular_file() || !entry.path().filename().string().starts_with("trace."))
      continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    all.push_back({entry.path(), std::move(bytes)});
  }
  std::ranges::sort(all, {}, &TestInput::path);
  return all;
}

}  // namespace tracebraid
