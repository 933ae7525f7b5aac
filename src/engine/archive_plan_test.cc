#include "engine/archive_plan.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

Result<std::vector<ArchiveEntry>> plan(std::vector<std::string> inputs,
                                       const std::optional<std::string>& manifest = {}) {
  return plan_archive(inputs, manifest);
}

TEST(MergePlan, PutsTheManifestFirst) {
  const std::string manifest = R"({"perfetto_manifest":{"version":1,"files":[{"path":"b.pb"}]}})";
  const auto entries = plan({"x/a.json", "y/b.pb"}, manifest);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 3U);
  EXPECT_EQ((*entries)[0].name, "perfetto_manifest.json");
  EXPECT_EQ((*entries)[0].bytes, manifest);
  EXPECT_EQ((*entries)[1].name, "a.json");
  EXPECT_EQ((*entries)[1].path, "x/a.json");
  EXPECT_EQ((*entries)[2].name, "b.pb");
  EXPECT_EQ(plan({"x/a.json"})->size(), 1U);
}

TEST(MergePlan, EqualBaseNamesKeepFolders) {
  const auto entries = plan({"x/a.json", "y/a.json", ".z/a.json", "b.json"});
  ASSERT_TRUE(entries);
  std::vector<std::string> names;
  for (const ArchiveEntry& entry : *entries) names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string>{"x/a.json", "y/a.json", "_z/a.json", "b.json"}));
}

TEST(MergePlan, APatternOrAPathInAnArchiveIsNoMissingFile) {
  EXPECT_TRUE(plan({"a.zip", "b.json"}, R"({"perfetto_manifest":{"version":1,"files":[
      {"path":"a.zip/c.json"},{"path":"*.json","glob":true}]}})"));
}

TEST(MergePlan, NamesMustDiffer) {
  EXPECT_EQ(
      plan({"x/a.json", "./x/a.json"}).error().message,
      "merge: two input files share the name 'a.json'; archive members must be unique. Rename "
      "one of the files.");
  EXPECT_FALSE(plan({"-"}));
}

TEST(MergePlan, TheManifestMustFit) {
  constexpr const char* kNoManifest =
      "merge: the manifest must be a JSON object with a top-level perfetto_manifest key.";
  for (const char* text : {"", "[]", "{}", "{\"perfetto_manifest\":1}", "not json"})
    EXPECT_EQ(plan({"a"}, text).error().message, kNoManifest) << text;
  EXPECT_EQ(plan({"a"}, R"({"perfetto_manifest":{}})").error().message,
            "perfetto_manifest: missing required field: version");
  EXPECT_EQ(
      plan({"a"}, R"({"perfetto_manifest":{"version":1,"files":[{"path":"b"}]}})").error().message,
      "merge: the manifest names file 'b' but no input file has that name. Manifest paths must "
      "match "
      "the input files' base names.");
}

TEST(MergePlan, TheNameChoosesTheFormat) {
  EXPECT_EQ(archive_format("a.zip"), ArchiveFormat::Zip);
  EXPECT_EQ(archive_format("a.ZIP"), ArchiveFormat::Zip);
  EXPECT_EQ(archive_format("a.tar"), ArchiveFormat::Tar);
  EXPECT_EQ(archive_format("zip"), ArchiveFormat::Tar);
}

}  // namespace
}  // namespace tracebraid
