// Archives among the test vectors: their rows of trace_file, and the errors of damaged ones.
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "container/test_archives.h"

namespace tracebraid {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> vector_folder() {
  const char* vectors = std::getenv("TRACEBRAID_VECTORS");
  if (vectors == nullptr) return std::nullopt;
  return fs::path(vectors) / "clocks-and-merging";
}

fs::path input_of(const fs::path& vector) {
  for (const fs::directory_entry& entry : fs::directory_iterator(vector))
    if (entry.path().filename().string().starts_with("trace.")) return entry.path();
  return {};
}

std::vector<Member> open(const fs::path& path) {
  Progress progress;
  const std::vector<std::string> paths{path.string()};
  return open_members(path_inputs(paths), {}, progress).value();
}

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The rows of the first result set.
struct Expected {
  std::optional<uint32_t> parent;
  std::optional<std::string> name;
  uint64_t size;
  bool is_container;
};

std::vector<Expected> expected_rows(const fs::path& vector) {
  std::istringstream lines(slurp(vector / "query.jsonl"));
  std::vector<Expected> rows;
  std::string line;
  std::getline(lines, line);  // names of columns
  while (std::getline(lines, line) && !line.empty()) {
    const nlohmann::json row = nlohmann::json::parse(line);
    Expected expected{{}, {}, row[3].get<uint64_t>(), row[6] == 1};
    if (!row[1].is_null()) expected.parent = row[1].get<uint32_t>();
    if (!row[2].is_null()) expected.name = row[2].get<std::string>();
    rows.push_back(std::move(expected));
  }
  return rows;
}

uint64_t size_fed(const Member& member) {
  return member.open ? test::read_leaf(member).bytes.size() : member.size;
}

TEST(Vectors, RowsOfTraceFile) {
  const std::optional<fs::path> folder = vector_folder();
  if (!folder) GTEST_SKIP() << "TRACEBRAID_VECTORS is not set";
  size_t seen = 0;
  for (const fs::directory_entry& vector : fs::directory_iterator(*folder)) {
    if (!slurp(vector.path() / "query.sql")
             .starts_with("SELECT id, parent_id, name, size, trace_type, processing_order, "
                          "is_container\nFROM __intrinsic_trace_file ORDER BY id;"))
      continue;
    seen++;
    const std::vector<Expected> expected = expected_rows(vector.path());
    const std::vector<Member> members = open(input_of(vector.path()));
    ASSERT_EQ(members.size(), expected.size()) << vector.path();
    for (size_t row = 0; row < expected.size(); ++row) {
      EXPECT_EQ(members[row].parent, expected[row].parent) << vector.path() << row;
      EXPECT_EQ(members[row].name, expected[row].name) << vector.path() << row;
      EXPECT_EQ(members[row].container != ContainerKind::None, expected[row].is_container);
      EXPECT_EQ(size_fed(members[row]), expected[row].size) << vector.path() << row;
      EXPECT_TRUE(members[row].problems.empty()) << vector.path() << row;
    }
  }
  EXPECT_GE(seen, 5u);
}

TEST(Vectors, ErrorsOfDamagedArchives) {
  const std::optional<fs::path> folder = vector_folder();
  if (!folder) GTEST_SKIP() << "TRACEBRAID_VECTORS is not set";
  for (const char* name :
       {"gzip_corrupt", "gzip_truncated", "tar_bad_size", "tar_bad_type", "tar_truncated",
        "zip_bad_method", "zip_crc_mismatch", "zip_encrypted"}) {
    std::string expected = slurp(*folder / name / "query.error");
    while (expected.ends_with('\n')) expected.pop_back();
    ASSERT_FALSE(expected.empty()) << name;
    std::string first;
    for (const Member& member : open(input_of(*folder / name))) {
      if (first.empty() && !member.problems.empty()) first = member.problems[0].message;
      if (first.empty() && member.open) first = test::read_leaf(member).problem.value_or("");
    }
    EXPECT_TRUE(first.starts_with(expected)) << name << ": " << first;
  }
}

}  // namespace
}  // namespace tracebraid
