// No two formats match one file equally well, over the inputs of all vectors and, if they are
// available, the real traces. Files inside archives are tested, too. Every format has a vector.
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

// Checks a file or the members of an archive and counts them by format. Skips files that cannot be
// opened.
void check(const fs::path& path, std::map<std::string_view, size_t>& files) {
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
    if (!best.formats.empty()) ++files[best.formats.front()->name];
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
  std::map<std::string_view, size_t> files;
  for (const fs::path& file : files_below(vectors, "trace.")) check(file, files);
  for (const Format* format : all_formats())
    EXPECT_TRUE(files.contains(format->name)) << format->name << " has no vector";
}

TEST(Detect, NoTwoFormatsMatchARealTraceAlike) {
  const char* const source = std::getenv("TRACEBRAID_SOURCE");
  const fs::path traces =
      source == nullptr ? fs::path() : fs::path(source) / "../shared/data/traces";
  const std::vector<fs::path> paths = files_below(traces, "");
  if (paths.empty()) GTEST_SKIP() << "../shared/data/traces is not here";
  std::map<std::string_view, size_t> files;
  for (const fs::path& path : paths) check(path, files);
  EXPECT_FALSE(files.empty());
}

}  // namespace
}  // namespace tracebraid
