// No file is of two formats: among the answers of all formats the best is given once. Over the
// inputs of the vectors and, where they are at hand, the real traces; archives are opened.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "container/members.h"
#include "container/trace_input.h"
#include "format/format.h"

namespace tracebraid {
namespace {

namespace fs = std::filesystem;

// The formats that give the best answer.
struct Best {
  Match match = Match::No;
  std::vector<const Format*> formats;
};

Best best_of(const Peek& peek) {
  Best best;
  for (const Format* format : all_formats()) {
    const Match match = format->sniff(peek);
    if (match == Match::No || match < best.match) continue;
    if (match > best.match) best = {.match = match};
    best.formats.push_back(format);
  }
  return best;
}

std::string names_of(const Best& best) {
  std::string names;
  for (const Format* format : best.formats) names += " " + std::string(format->name);
  return names;
}

// Checks all that lies in a file; counts the leaves by format. A file that cannot be opened has
// no leaves.
void check(const fs::path& path, std::map<std::string_view, size_t>& leaves) {
  Progress progress;
  const std::vector<std::string> paths{path.string()};
  const Result<std::vector<Member>> members = open_members(path_inputs(paths), {}, progress);
  if (!members) return;
  for (const Member& member : *members) {
    if (!member.open) continue;
    Result<Input> input = member.open();
    if (!input) continue;
    const Peek peek{.head = input->peek(kPeekBytes), .name = member.path};
    const Best best = best_of(peek);
    EXPECT_LE(best.formats.size(), 1U) << member.path << ":" << names_of(best);
    EXPECT_EQ(detect(peek), best.formats.empty() ? nullptr : best.formats.front()) << member.path;
    if (!best.formats.empty()) ++leaves[best.formats.front()->name];
  }
}

// Returns the files below a folder whose names begin with `start`.
std::vector<fs::path> files_below(const fs::path& folder, std::string_view start) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().filename().string().starts_with(start))
      files.push_back(entry.path());
  return files;
}

TEST(Detect, NoTwoFormatsMatchAVectorAlike) {
  const char* const vectors = std::getenv("TRACEBRAID_VECTORS");
  if (vectors == nullptr) GTEST_SKIP() << "TRACEBRAID_VECTORS is not set";
  std::map<std::string_view, size_t> leaves;
  for (const fs::path& file : files_below(vectors, "trace.")) check(file, leaves);
  EXPECT_GE(leaves.size(), 20U) << "formats among the vectors";
}

TEST(Detect, NoTwoFormatsMatchARealTraceAlike) {
  const char* const source = std::getenv("TRACEBRAID_SOURCE");
  const fs::path traces =
      source == nullptr ? fs::path() : fs::path(source) / "../shared/data/traces";
  const std::vector<fs::path> files = files_below(traces, "");
  if (files.empty()) GTEST_SKIP() << "../shared/data/traces is not here";
  std::map<std::string_view, size_t> leaves;
  for (const fs::path& file : files) check(file, leaves);
  EXPECT_FALSE(leaves.empty());
}

}  // namespace
}  // namespace tracebraid
