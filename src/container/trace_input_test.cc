#include "container/trace_input.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "container/test_archives.h"

namespace tracebraid {
namespace {

using test::noise;
using test::TemporaryDirectory;

struct Opened {
  std::vector<std::string> rows;
  std::vector<std::string> bytes;  // of each leaf, with its problem
};

Result<Opened> open(std::vector<TraceInput> inputs, const HostFiles& files = {}) {
  Progress progress;
  TB_TRY_ASSIGN(const std::vector<Member> members,
                open_members(inputs, {.limits = {}, .files = files}, progress));
  Opened opened{.rows = test::rows_of(members), .bytes = {}};
  for (const Member& member : members) {
    if (!member.open) continue;
    const auto leaf = test::read_leaf(member);
    opened.bytes.push_back(leaf.bytes + leaf.problem.value_or(""));
  }
  return opened;
}

// Returns `bytes` in blocks of at most `block`, and then `end`.
TraceInput stream_of(std::string name, std::string bytes, size_t block,
                     Result<size_t> end = size_t{0}) {
  return stream_input(std::move(name), [bytes = std::move(bytes), block, end, at = size_t{0}](
                                           char* into, size_t size) mutable {
    size = std::min({size, block, bytes.size() - at});
    if (size == 0) return end;
    bytes.copy(into, size, at);
    at += size;
    return Result<size_t>(size);
  });
}

std::vector<std::string> contents() {
  const std::string large = noise(300'000);
  const std::string zip = test::zip_of(
      {{.name = "a", .content = noise(200'000)}, {.name = "b", .content = "short", .method = 8}});
  return {"",
          "short",
          large,
          test::gzipped(large),
          zip,
          test::gzipped(zip),
          zip.substr(0, zip.size() / 2)};
}

TEST(TraceInput, MemoryStreamsAndBothWaysToReadFilesAreEqual) {
  const TemporaryDirectory directory;
  for (const std::string& bytes : contents()) {
    const std::string path = directory.write("in", bytes);
    const Opened mapped = open({{.name = path}}, {.access = FileAccess::Map}).value();
    for (const Opened& other : {open({{.name = path}}, {.access = FileAccess::Read}).value(),
                                open({buffer_input(path, bytes, nullptr)}).value(),
                                open({stream_of(path, bytes, 1000)}).value()}) {
      EXPECT_EQ(other.rows, mapped.rows);
      EXPECT_EQ(other.bytes, mapped.bytes);
    }
  }
}

TEST(TraceInput, SeveralAreNamedByTheLastPartOfTheirNames) {
  const Opened opened = open({buffer_input("x/a", "1", nullptr), stream_of("y/b", "2", 1)}).value();
  EXPECT_EQ(opened.rows, (std::vector<std::string>{"-:a:unknown", "-:b:unknown"}));
}

TEST(TraceInput, ABufferIsReleasedOnceAlsoWhenTheOpeningFails) {
  int released = 0;
  const auto buffer = [&] { return buffer_input("a", "bytes", [&] { ++released; }); };
  EXPECT_TRUE(open({buffer()}));
  EXPECT_EQ(released, 1);
  EXPECT_FALSE(open({buffer(), {.name = "/nonexistent"}}));
  EXPECT_EQ(released, 2);
}

TEST(TraceInput, AnErrorOfAStreamIsDamage) {
  const HostFiles files;
  const Error lost{ErrorCode::Io, "the connection was lost"};
  ASSERT_TRUE(open({stream_of("in", noise(1000), 100, tl::unexpected(lost))}, files));
  ASSERT_TRUE(files.damage->find());
  EXPECT_EQ(files.damage->find()->message, lost.message);
}

TEST(TraceInput, ADashIsAFileNameUnlessTheHostSaysOtherwise) {
  const Result<Opened> opened = open({{.name = "-"}});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message, "cannot open -: No such file or directory");
}

TEST(TraceInput, AFileThatShrinksWhileItIsReadIsAnErrorWithoutASignal) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("in", noise(3'000'000));
  const HostFiles files{.access = FileAccess::Read};
  Progress progress;
  const auto members = open_members(path_inputs(std::vector{path}), {{}, files}, progress).value();
  Input input = members.at(0).open().value();
  ASSERT_TRUE(input.next(1'000'000));
  std::filesystem::resize_file(path, 1'500'000);
  while (input.next(1'000'000)) {
  }
  ASSERT_TRUE(input.problem());
  EXPECT_TRUE(input.is_cut_short());
  ASSERT_TRUE(files.damage->find());
  EXPECT_EQ(files.damage->find()->code, ErrorCode::Io);
  EXPECT_NE(files.damage->find()->message.find("shrank from 3000000 to 1500000 bytes"),
            std::string::npos);
}

}  // namespace
}  // namespace tracebraid
