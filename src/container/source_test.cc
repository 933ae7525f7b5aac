#include "container/source.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <thread>

#include "container/test_archives.h"

namespace tracebraid {
namespace {

using test::TemporaryDirectory;

class StandardInput : public ::testing::TestWithParam<size_t> {};  // param: the size

Result<std::vector<Member>> open(const std::vector<std::string>& paths) {
  Progress progress;
  return open_members(path_inputs(paths), {.limits = {}, .files = {.dash_is_standard_input = true}},
                      progress);
}

TEST(Source, HiddenPaths) {
  EXPECT_TRUE(is_hidden(".a"));
  EXPECT_TRUE(is_hidden("a/.b/c"));
  EXPECT_TRUE(is_hidden("..."));
  for (const char* shown : {"a", "./a", "../a", "a/..", "a.b/c.", ""})
    EXPECT_FALSE(is_hidden(shown)) << shown;
}

TEST(Source, SoleFileHasNoNameSeveralDo) {
  const TemporaryDirectory directory;
  const std::string a = directory.write("a.json", "1");
  const std::string b = directory.write("b.json", "2");
  const auto one = open({a}).value();
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].name, std::nullopt);
  EXPECT_EQ(one[0].path, a);
  const auto two = open({b, a}).value();
  EXPECT_EQ(test::rows_of(two), (std::vector<std::string>{"-:b.json:unknown", "-:a.json:unknown"}));
  EXPECT_EQ(test::read_leaf(two[0]).bytes, "2");
}

TEST(Source, DirectoriesAreSortedBytewise) {
  const TemporaryDirectory directory;
  for (const char* name : {"b", "a/z", "a.x", "B", "a/y", ".hidden", ".git/config"})
    directory.write(name, name);
  std::filesystem::create_directory_symlink("..", directory.path() + "/a/loop");
  std::filesystem::create_symlink("b", directory.path() + "/link");
  ::mkfifo((directory.path() + "/fifo").c_str(), 0600);
  const auto members = open({directory.path()}).value();
  std::vector<std::string> names;
  for (const Member& member : members) names.push_back(*member.name);
  EXPECT_EQ(names, (std::vector<std::string>{"B", "a.x", "a/y", "a/z", "b", "link"}));
  EXPECT_EQ(members[2].path, directory.path() + "/a/y");
  EXPECT_EQ(test::read_leaf(members[5]).bytes, "b");
}

TEST(Source, BrokenLinkInADirectoryIsAProblemOfItsRow) {
  const TemporaryDirectory directory;
  directory.write("a", "x");
  std::filesystem::create_symlink("nowhere", directory.path() + "/broken");
  const auto members = open({directory.path()}).value();
  ASSERT_EQ(members.size(), 2u);
  EXPECT_EQ(members[1].problems.at(0).message,
            "cannot open " + directory.path() + "/broken: No such file or directory");
  EXPECT_FALSE(members[1].open);
}

TEST(Source, MissingFileIsAnError) {
  const auto members = open({"/nonexistent/a"});
  ASSERT_FALSE(members);
  EXPECT_EQ(members.error().code, ErrorCode::NotFound);
  EXPECT_EQ(members.error().message, "cannot open /nonexistent/a: No such file or directory");
}

TEST(Source, EmptyDirectoryAndEmptyFile) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(open({directory.path()}).value().empty());
  EXPECT_TRUE(open({directory.write("empty", "")}).value().at(0).empty);
}

TEST(Source, PipesAreReadToTheirEnd) {
  const TemporaryDirectory directory;
  const std::string pipe = directory.path() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string text = test::noise(300'000);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << test::gzipped(text); });
  const auto members = open({pipe}).value();
  writer.join();
  ASSERT_EQ(members.size(), 2u);
  EXPECT_EQ(test::read_leaf(members[1]).bytes, text);
}

TEST_P(StandardInput, StartsWhereItStands) {
  const TemporaryDirectory directory;
  const std::string text = test::noise(GetParam());
  const std::string path = directory.write("in", text);
  const int saved = ::dup(STDIN_FILENO);
  const int file = ::open(path.c_str(), O_RDONLY);
  ASSERT_EQ(::lseek(file, 3, SEEK_SET), 3);  // a part has been read before
  ::dup2(file, STDIN_FILENO);
  const auto members = open({"-"}).value();
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(file);
  ASSERT_EQ(members.size(), 1u);
  EXPECT_EQ(members[0].path, "-");
  EXPECT_EQ(test::read_leaf(members[0]).bytes, text.substr(3));
}

INSTANTIATE_TEST_SUITE_P(Sizes, StandardInput, ::testing::Values(10, 200'000));

}  // namespace
}  // namespace tracebraid
