#include "fleet/source.h"

#include <gtest/gtest.h>

#include "fleet/test_folder.h"

namespace tracebraid::fleet {
namespace {

using Texts = std::vector<std::string>;

// Returns the names of the groups.
Texts names_of(const Result<std::vector<Group>>& groups) {
  if (!groups) return {"error: " + groups.error().message};
  Texts names;
  for (const Group& group : *groups) names.push_back(group.name);
  return names;
}

class Sources : public testing::Test {
 protected:
  Sources() {
    for (const char* name : {"run-1/a.json", "run-1/b.json", "run-2/a.json", "run-2/deep/er/c.json",
                             ".hidden/a.json", "run-1/.a.json"})
      folder_.write(name, "{}");
  }
  Texts matching(std::string_view pattern) const {
    Texts found = matching_paths(folder_ / pattern);
    for (std::string& path : found) path.erase(0, (folder_ / "").size());
    return found;
  }
  Result<std::vector<Group>> groups(SourceRequest request) const {
    if (request.items.empty()) request.items = {folder_ / ""};
    return list_groups(request, HostFiles{});
  }

  TestFolder folder_;
};

TEST_F(Sources, GlobsMatchComponentsAndFoldersOfAnyDepth) {
  EXPECT_EQ(matching("run-?/a.json"), (Texts{"run-1/a.json", "run-2/a.json"}));
  EXPECT_EQ(matching("run-[2-9]/*"), (Texts{"run-2/a.json", "run-2/deep"}));
  EXPECT_EQ(matching("run-[!2]/*.json"), (Texts{"run-1/a.json", "run-1/b.json"}));
  EXPECT_EQ(matching("**/c.json"), Texts{"run-2/deep/er/c.json"});
  EXPECT_EQ(matching("run-2/**/*.json"), (Texts{"run-2/a.json", "run-2/deep/er/c.json"}));
  EXPECT_EQ(matching("run-1/.*.json"), Texts{"run-1/.a.json"});
  EXPECT_EQ(matching("none/*"), Texts{});
  EXPECT_TRUE(is_glob("a*") && is_glob("a?") && is_glob("[ab]"));
  EXPECT_FALSE(is_glob("a/b.json"));
}

TEST_F(Sources, EachFileIsAGroupExceptHiddenOnes) {
  const Result<std::vector<Group>> found = groups({});
  EXPECT_EQ(names_of(found),
            (Texts{"run-1/a.json", "run-1/b.json", "run-2/a.json", "run-2/deep/er/c.json"}));
  EXPECT_EQ(found->front().sizes, std::vector<int64_t>{2});
  EXPECT_EQ(found->front().trace(), "run-1/a.json");
  EXPECT_EQ(found->front().uri(), "file://" + (folder_ / "run-1/a.json"));
}

TEST_F(Sources, FoldersAndRegexesNameGroups) {
  EXPECT_EQ(names_of(groups({.group = "folder"})), (Texts{"run-1", "run-2", "run-2/deep/er"}));
  const Result<std::vector<Group>> found =
      groups({.group = R"(run-(?P<run>\d)/(?P<file>\w))", .ungrouped = "skip"});
  EXPECT_EQ(names_of(found), (Texts{"1/a", "1/b", "2/a", "2/d"}));
  EXPECT_EQ(found->front().carried,
            (std::vector<std::pair<std::string, std::string>>{{"run", "1"}, {"file", "a"}}));
}

TEST_F(Sources, FilesThatTheRegexDoesNotMatch) {
  const Result<std::vector<Group>> found = groups({.group = "(run-1)/"});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::Usage);
  EXPECT_EQ(names_of(groups({.group = "(run-1)/", .ungrouped = "skip"})), Texts{"run-1"});
  EXPECT_EQ(names_of(groups({.group = "(run-1)/", .ungrouped = "alone"})),
            (Texts{"run-1", "run-2/a.json", "run-2/deep/er/c.json"}));
  EXPECT_FALSE(groups({.group = "("}));
  EXPECT_FALSE(groups({.group = "no group"}));
}

TEST_F(Sources, NamesOfGroupsHaveALimit) {
  std::string long_path = "x";
  for (int i = 0; i < 6; ++i) long_path += "/" + std::string(100, 'y');
  folder_.write(long_path, "{}");
  const Result<std::vector<Group>> found = groups({});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::Usage);
}

TEST_F(Sources, ManifestsCarryColumns) {
  const std::string path = folder_.write(
      "fleet.jsonl",
      R"({"paths":["run-1/a.json","run-2/a.json"],"group":"both","build":7,"ok":true})"
      "\n\n"
      R"({"path":"run-1/b.json","manifest":"m.json"})"
      "\n");
  const Result<std::vector<Group>> found = groups({.items = {path}});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(names_of(found), (Texts{"both", "run-1/b.json"}));
  EXPECT_EQ((*found)[0].paths.size(), 2U);
  EXPECT_EQ((*found)[0].carried[0], (std::pair<std::string, std::string>("build", "7")));
  EXPECT_EQ((*found)[1].manifest, folder_ / "m.json");
  for (const char* wrong : {"[1]", "{", R"({"group":"x"})", R"({"paths":[7]})", R"({"path":7})"}) {
    folder_.write("fleet.jsonl", wrong);
    const Result<std::vector<Group>> failed = groups({.items = {path}});
    ASSERT_FALSE(failed) << wrong;
    EXPECT_EQ(failed.error().code, ErrorCode::BadManifest) << wrong;
  }
}

TEST_F(Sources, GroupsArePickedByACondition) {
  const auto picked = [&](const char* condition) {
    Result<std::vector<Group>> all = groups({.group = R"(run-(?P<run>\d)/(?P<it>'|\w))"});
    if (const Result<> done = pick_groups(condition, *all); !done)
      return Texts{std::string(condition) + ": " + done.error().message.substr(0, 6)};
    return names_of(all);
  };
  EXPECT_EQ(picked("_run = '2'"), (Texts{"2/a", "2/d"}));
  EXPECT_EQ(picked("_size = 2 AND _trace GLOB '*b.json' -- of bytes"), Texts{"1/b"});
  EXPECT_EQ(picked("NULL"), Texts{});
  EXPECT_EQ(picked("nope"), Texts{"nope: --pick"});
}

TEST_F(Sources, ItemsThatAreNotThereAreErrors) {
  const Result<std::vector<Group>> found = groups({.items = {folder_ / "none"}});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::NotFound);
  EXPECT_EQ(names_of(groups({.items = {folder_ / "none/*.json"}})), Texts{});
}

}  // namespace
}  // namespace tracebraid::fleet
