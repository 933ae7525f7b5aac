#include "container/archive_writer.h"

#include <sys/stat.h>

#include "container/test_archives.h"

namespace tracebraid {
namespace {

using test::TemporaryDirectory;

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ArchiveWriter, WhatIsWrittenIsReadBack) {
  const TemporaryDirectory directory;
  const std::string big = test::noise(3'000'000);
  const std::string file = directory.write("big", big);
  const std::string names[] = {"perfetto_manifest.json", std::string(99, 'n'),
                               std::string(100, 'm'), std::string(300, 'l') + ".pb",
                               "dir/\xc3\xa9\xff"};
  std::vector<ArchiveEntry> entries{{"empty", "", ""}, {"big.json", file, std::nullopt}};
  for (const std::string& name : names) entries.push_back({name, "", "bytes of " + name});
  for (const ArchiveFormat format : {ArchiveFormat::Tar, ArchiveFormat::Zip}) {
    const std::string path = directory.path() + "/out";
    Progress progress;
    const Result<> written = write_archive(path, format, entries, {}, progress);
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_EQ(progress.done(), progress.total());
    const std::string archive = slurp(path);
    const std::vector<Member> members = test::members_of(archive);
    ASSERT_EQ(members.size(), entries.size() + 1);
    EXPECT_TRUE(members[0].problems.empty());
    EXPECT_TRUE(members[1].empty);
    for (size_t i = 0; i < entries.size(); ++i) EXPECT_EQ(members[i + 1].name, entries[i].name);
    EXPECT_TRUE(test::read_leaf(members[2], 65536).bytes == big);
    EXPECT_EQ(test::read_leaf(members.back()).bytes, "bytes of " + names[4]);
    EXPECT_EQ(test::read_leaf(members[2], 65536).problem, std::nullopt);
  }
}

TEST(ArchiveWriter, ReplacesOnlyWhenDone) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("out.tar", "before");
  Progress progress;
  const std::vector<ArchiveEntry> missing{{"a", "", "x"},
                                          {"b", directory.path() + "/none", std::nullopt}};
  const Result<> failed = write_archive(path, ArchiveFormat::Tar, missing, {}, progress);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message,
            "cannot open " + directory.path() + "/none: No such file or directory");
  EXPECT_EQ(slurp(path), "before");
  const std::vector<ArchiveEntry> itself{{"a", path, std::nullopt}};
  const Result<> replaced = write_archive(path, ArchiveFormat::Tar, itself, {}, progress);
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().code, ErrorCode::Usage);
  EXPECT_EQ(slurp(path), "before");
  const auto files = std::filesystem::directory_iterator(directory.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);  // nothing is left behind
}

TEST(ArchiveWriter, ErrorsNameThePathAndTheReason) {
  const TemporaryDirectory directory;
  const std::vector<ArchiveEntry> entries{{"a", "", test::noise(100'000)}};
  Progress progress;
  const Result<> no_directory =
      write_archive("/nonexistent/x.tar", ArchiveFormat::Tar, entries, {}, progress);
  ASSERT_FALSE(no_directory);
  EXPECT_EQ(no_directory.error().code, ErrorCode::Io);
  EXPECT_EQ(no_directory.error().message,
            "cannot write /nonexistent/x.tar: No such file or directory");
  for (const ArchiveFormat format : {ArchiveFormat::Tar, ArchiveFormat::Zip}) {
    const Result<> full = write_archive("/dev/full", format, entries, {}, progress);
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, ErrorCode::Io);
    EXPECT_EQ(full.error().message, "cannot write /dev/full: No space left on device");
  }
  const std::vector<ArchiveEntry> folder{{"a", directory.path(), std::nullopt}};
  const Result<> not_file =
      write_archive(directory.path() + "/x", ArchiveFormat::Tar, folder, {}, progress);
  ASSERT_FALSE(not_file);
  EXPECT_EQ(not_file.error().message, "cannot pack " + directory.path() + ": not a regular file");
}

TEST(ArchiveWriter, CancellingLeavesNothing) {
  const TemporaryDirectory directory;
  const std::string file = directory.write("a", "x");
  Progress progress;
  progress.cancel();
  const std::vector<ArchiveEntry> entries{{"a", file, std::nullopt}};
  const Result<> result =
      write_archive(directory.path() + "/out", ArchiveFormat::Zip, entries, {}, progress);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
  EXPECT_FALSE(std::filesystem::exists(directory.path() + "/out"));
}

}  // namespace
}  // namespace tracebraid
