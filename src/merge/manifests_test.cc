#include "merge/manifests.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(Manifests, Patterns) {
  EXPECT_TRUE(matches_pattern("a.json", "*.json"));
  EXPECT_TRUE(matches_pattern("a.json", "?.json"));
  EXPECT_TRUE(matches_pattern("logs/a.json", "logs/*"));
  EXPECT_TRUE(matches_pattern("logs/deep/a.json", "logs/**"));
  EXPECT_TRUE(matches_pattern("logs/deep/a.json", "**.json"));
  EXPECT_TRUE(matches_pattern("a/b/c/d.json", "a/**/d.json"));
  EXPECT_TRUE(matches_pattern("x/ab/cab.z", "**/*ab.?"));
  EXPECT_TRUE(matches_pattern("", "**"));
  EXPECT_TRUE(matches_pattern("", ""));
  EXPECT_FALSE(matches_pattern("logs/a.json", "*.json"));
  EXPECT_FALSE(matches_pattern("logs/deep/a.json", "logs/*"));
  EXPECT_FALSE(matches_pattern("a/b", "a?b"));
  EXPECT_FALSE(matches_pattern("a.json", ""));
  EXPECT_FALSE(matches_pattern("", "?"));
  EXPECT_FALSE(matches_pattern("a.jsonx", "*.json"));
}

TEST(Manifests, PatternsAreNotExponential) {
  const std::string text(5000, 'a');
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "*a**a";
  EXPECT_FALSE(matches_pattern(text, pattern + "b"));
}

struct Tree {
  std::vector<FileToLocate> files;
  Tree& add(std::optional<uint32_t> parent, std::optional<std::string> name, bool container,
            std::string path) {
    files.push_back({.file = FileId{static_cast<uint32_t>(files.size())},
                     .parent = parent ? FileId{*parent} : FileId{},
                     .name = std::move(name),
                     .manifest_path = std::move(path),
                     .is_container = container});
    return *this;
  }
};

Manifest manifest(std::string scope, std::vector<FileEntry> files) {
  Manifest made;
  made.scope = std::move(scope);
  made.path = made.scope + "perfetto_manifest.json";
  made.files = std::move(files);
  return made;
}

struct JoinTest : testing::Test {
  JoinTest() {
    tree.add({}, {}, true, "")
        .add(0, "a.json", false, "a.json")
        .add(0, "in.zip", true, "in.zip")
        .add(2, "a.json", false, "in.zip/a.json")
        .add(2, "b.json.gz", true, "in.zip/b.json.gz")
        .add(4, "", false, "in.zip/b.json.gz");
  }
  Manifest join(std::vector<Manifest> manifests) {
    return join_manifests(std::move(manifests), tree.files, warnings);
  }
  Tree tree;
  std::vector<Problem> warnings;
};

TEST_F(JoinTest, EachIsForItsArchive) {
  const Manifest all = join({manifest("in.zip/", {{.path = "a.json", .machine = "m"}}),
                             manifest("", {{.path = "a.json", .machine = "m"}})});
  ASSERT_EQ(all.files.size(), 2U);
  EXPECT_EQ(all.files[0].target, FileId{1});
  EXPECT_EQ(all.files[1].target, FileId{3});
  EXPECT_EQ(all.files[1].path, "in.zip/a.json");
  EXPECT_EQ(all.files[1].scope, "in.zip/");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(JoinTest, BareNamesReachIntoArchivesWithoutAManifest) {
  EXPECT_EQ(join({manifest("", {{.path = "b.json.gz"}})}).files[0].target, FileId{4});
  EXPECT_FALSE(
      join({manifest("", {{.path = "b.json.gz"}}), manifest("in.zip/", {})}).files[0].target);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(JoinTest, TheOuterWordCounts) {
  const Manifest all = join({manifest("in.zip/", {{.path = "a.json", .machine = "inner"}}),
                             manifest("", {{.path = "in.zip/a.json", .machine = "outer"}})});
  EXPECT_EQ(all.files[0].machine, "outer");
  EXPECT_EQ(all.files[0].target, FileId{3});
  EXPECT_FALSE(all.files[1].target);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].path, "in.zip/perfetto_manifest.json");
}

TEST_F(JoinTest, PatternsComeLast) {
  const Manifest all = join({manifest("", {{.path = "**.json*", .machine = "any", .is_glob = true},
                                           {.path = "a.json", .machine = "own"},
                                           {.path = "*.pb", .is_glob = true}})});
  ASSERT_EQ(all.files.size(), 3U);
  EXPECT_EQ(all.files[0].machine, "own");
  EXPECT_EQ(all.files[1].target, FileId{3});
  EXPECT_EQ(all.files[2].target, FileId{4}) << "a compressed file, once";
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].error.message.find("'*.pb'"), std::string::npos);
}

}  // namespace
}  // namespace tracebraid
