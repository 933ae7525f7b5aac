#include "braid/braid.h"

#include <gtest/gtest.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/new_file.h"

namespace tracebraid {
namespace {

// The layout of the file, as described in braid.h.
constexpr size_t kVersionAt = 8, kChecksumAt = 56;

template <class T>
void put_at(std::string& bytes, size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

struct BraidTest : testing::Test {
  BraidTest() {
    merged.store = std::make_unique<Store>();
#define TB_APPEND(name, type, order, about) merged.store->machines.name.append(type{});
    TB_MACHINE_COLUMNS(TB_APPEND)
#undef TB_APPEND
    const auto add = [&](const char* message, StatLevel level, bool is_void = false) {
      merged.problems.push_back({.path = "a.json",
                                 .error = {ErrorCode::BadInput, message},
                                 .level = level,
                                 .is_void_statement = is_void});
    };
    add("json_pid_type, 2 times, first at byte 70: 1.5", StatLevel::Repaired);
    add("flow_start_without_end: A flow", StatLevel::Unpaired);
    add("2 more kinds of problems, see the table stats", StatLevel::Repaired);
    add("perfetto_manifest: no effect", StatLevel::LostData, true);
  }

  // Returns the bytes of a braid of `merged`.
  std::string written() {
    const std::string path =
        testing::TempDir() + "braid_test." + std::to_string(::getpid()) + ".braid";
    Result<NewFile> file = NewFile::create(path, {});
    Progress progress;
    EXPECT_TRUE(file && write_braid(merged, 1, *file, progress));
    std::ifstream in(file->written_path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  static std::vector<Problem> problems_of(const std::string& bytes) {
    Progress progress;
    const Result<Braid> braid = open_braid(Bytes{bytes, {}, {}}, "a.braid", 1, progress);
    EXPECT_TRUE(braid) << braid.error().message;
    return braid ? braid->merged.problems : std::vector<Problem>();
  }

  Merged merged;
};

TEST_F(BraidTest, ProblemsKeepTheirLevels) {
  const std::vector<Problem> problems = problems_of(written());
  ASSERT_EQ(problems.size(), merged.problems.size());
  for (size_t i = 0; i < problems.size(); ++i) {
    EXPECT_EQ(problems[i].level, merged.problems[i].level) << problems[i].error.message;
    EXPECT_EQ(problems[i].is_void_statement, merged.problems[i].is_void_statement);
  }
}

TEST_F(BraidTest, OtherVersionsAreRefused) {
  std::string bytes = written();
  put_at(bytes, kVersionAt, uint32_t{6});
  put_at(bytes, kChecksumAt, uint64_t{XXH3_64bits(bytes.data(), kChecksumAt)});
  Progress progress;
  const Result<Braid> braid = open_braid(Bytes{bytes, {}, {}}, "a.braid", 1, progress);
  ASSERT_FALSE(braid);
  EXPECT_NE(braid.error().message.find("another version"), std::string::npos);
}

}  // namespace
}  // namespace tracebraid
