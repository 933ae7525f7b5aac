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
  std::string written(std::span<const BraidExtra> extras = {}) {
    const std::string path =
        testing::TempDir() + "braid_test." + std::to_string(::getpid()) + ".braid";
    Result<NewFile> file = NewFile::create(path, {});
    Progress progress;
    EXPECT_TRUE(file && write_braid(merged, 1, *file, progress, extras));
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

BraidExtra extra_of(std::string_view name, uint32_t version, std::vector<std::string> parts) {
  return {name, version, [parts = std::move(parts)](PartSink& sink) -> Result<> {
            for (const std::string& part : parts) {
              TB_TRY(sink.append(part));
              sink.end_part();
            }
            return {};
          }};
}

Result<Braid> opened(const std::string& bytes) {
  Progress progress;
  return open_braid(Bytes{bytes, {}, {}}, "a.braid", 1, progress);
}

TEST_F(BraidTest, ExtrasAreBehindTheTables) {
  const BraidExtra extras[] = {extra_of("one", 3, {"abc", "", "defg"}), extra_of("two", 1, {})};
  const std::string bytes = written(extras);
  const Result<Braid> braid = opened(bytes);
  ASSERT_TRUE(braid) << braid.error().message;
  const std::optional<StoredExtra> one = braid->extra("one", 3);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->parts, (std::vector<std::string_view>{"abc", "", "defg"}));
  EXPECT_TRUE(one->is_whole(0) && one->is_whole(1) && one->is_whole(2));
  EXPECT_TRUE(braid->extra("two", 1) && braid->extra("two", 1)->parts.empty());
  EXPECT_FALSE(braid->extra("one", 2)) << "another version";
  EXPECT_FALSE(braid->are_extras_damaged);
  EXPECT_EQ(problems_of(bytes).size(), merged.problems.size());
}

TEST_F(BraidTest, ABraidWithoutExtrasIsAsBefore) {
  const std::string bytes = written();
  EXPECT_EQ(bytes.substr(8, 4), std::string("\7\0\0\0", 4)) << "the version had 32 bits";
  const Result<Braid> braid = opened(bytes);
  ASSERT_TRUE(braid);
  EXPECT_TRUE(braid->extras.empty());
  EXPECT_FALSE(braid->are_extras_damaged);
}

TEST_F(BraidTest, DamagedExtrasLeaveTheTables) {
  const BraidExtra extras[] = {extra_of("one", 1, {"abcdefgh"})};
  const std::string bytes = written(extras);
  std::string of_part = bytes, of_list = bytes;
  of_part[of_part.find("abcdefgh")] = 'x';
  of_list[of_list.rfind("one")] = 'x';
  const Result<Braid> with_part = opened(of_part), with_list = opened(of_list);
  ASSERT_TRUE(with_part && with_list);
  EXPECT_FALSE(with_part->extra("one", 1)->is_whole(0));
  EXPECT_TRUE(with_list->are_extras_damaged);
  EXPECT_TRUE(with_list->extras.empty());
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
