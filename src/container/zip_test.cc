#include "container/zip.h"

#include <list>

#include "container/test_archives.h"

namespace tracebraid {
namespace {

using test::noise;
using test::zip_of;
using test::ZipMember;

constexpr uint32_t kMany = 1000;
constexpr std::string_view kPremature = "Premature end of ZIP file (ERR:tp-corrupt)";

// Entries are views, so every archive is kept until the tests end.
ZipListing list(std::string bytes, uint32_t max_entries = kMany) {
  static std::list<std::string> kept;
  const std::string& archive = kept.emplace_back(std::move(bytes));
  return list_zip(archive, max_entries, [&](Codec codec, uint64_t offset) {
    const Bytes rest{std::string_view(archive).substr(offset), nullptr, nullptr};
    const Meter meter(std::make_shared<Budget>(ContainerOptions{}), rest.view.size());
    return measure_frame({rest, codec, false, std::nullopt}, meter);
  });
}

std::vector<std::string> names(const ZipListing& listing) {
  std::vector<std::string> names;
  for (const ZipEntry& entry : listing.entries) names.emplace_back(entry.name);
  return names;
}

std::string first_problem(const ZipListing& listing) {
  return listing.problems.empty() ? "" : listing.problems.front().message;
}

using Names = std::vector<std::string>;

std::vector<ZipMember> three() {
  return {{.name = "a", .content = "first", .method = 8},
          {.name = "b", .content = "second"},
          {.name = "c", .content = noise(3000), .method = 8}};
}

TEST(Zip, ListsInPhysicalOrder) {
  const std::string archive = zip_of(three());
  const ZipListing listing = list(archive);
  EXPECT_EQ(names(listing), (Names{"a", "b", "c"}));
  EXPECT_EQ(first_problem(listing), "");
  const ZipEntry& stored = listing.entries[1];
  EXPECT_EQ(archive.substr(stored.offset, stored.packed_size), "second");
  EXPECT_FALSE(stored.codec);
  EXPECT_EQ(listing.entries[2].size, 3000u);
}

TEST(Zip, DirectoryIsNotNeeded) {
  EXPECT_EQ(names(list(zip_of(three(), {.directory = false}))), (Names{"a", "b", "c"}));
  EXPECT_EQ(first_problem(list(zip_of(three(), {.directory = false}))), kPremature);
}

TEST(Zip, SizesBehindTheData) {
  for (const bool directory : {true, false})
    for (const bool zip64 : {true, false})
      for (const bool is_signed : {true, false}) {
        std::vector<ZipMember> members = three();
        for (ZipMember& member : members) {
          member.method = 8;
          member.descriptor = true;
          member.zip64 = zip64;
          member.signed_descriptor = is_signed;
        }
        const ZipListing listing = list(zip_of(members, {.directory = directory}));
        ASSERT_EQ(names(listing), (Names{"a", "b", "c"})) << directory << zip64 << is_signed;
        for (size_t i = 0; i < members.size(); ++i) {
          EXPECT_EQ(listing.entries[i].size, members[i].content.size());
          EXPECT_EQ(listing.entries[i].packed_size, members[i].packed().size());
          EXPECT_EQ(listing.entries[i].crc, crc32_of(members[i].content));
        }
        EXPECT_EQ(first_problem(listing), directory ? "" : kPremature);
      }
}

TEST(Zip, DescriptorKeepsAWrongCrc) {
  for (const bool directory : {true, false}) {
    const ZipListing listing =
        list(zip_of({{.name = "a", .content = "text", .method = 8, .descriptor = true, .crc = 7}},
                    {.directory = directory}));
    ASSERT_EQ(listing.entries.size(), 1u);
    EXPECT_EQ(listing.entries[0].crc, 7u);
  }
}

TEST(Zip, StoredWithoutSizeNeedsTheDirectory) {
  const std::vector<ZipMember> members{{.name = "a", .content = "text", .descriptor = true},
                                       {.name = "b", .content = "more"}};
  const ZipListing with = list(zip_of(members));
  ASSERT_EQ(names(with), (Names{"a", "b"}));
  EXPECT_EQ(with.entries[0].packed_size, 4u);
  EXPECT_FALSE(with.entries[0].unsupported);
  const ZipListing without = list(zip_of(members, {.directory = false}));
  ASSERT_EQ(names(without), Names{"a"});
  ASSERT_TRUE(without.entries[0].unsupported);
  EXPECT_EQ(without.entries[0].unsupported->message,
            "Unsupported zip features at offset 0x1e. version=14, flags=8");
}

TEST(Zip, Zip64Sizes) {
  std::vector<ZipMember> members = three();
  for (ZipMember& member : members) member.zip64 = true;
  for (ZipMember& member : members) member.version = 45;
  const ZipListing listing = list(zip_of(members));
  EXPECT_EQ(names(listing), (Names{"a", "b", "c"}));
  EXPECT_EQ(listing.entries[2].size, 3000u);
  EXPECT_EQ(first_problem(listing), "");
}

TEST(Zip, MethodsOfZstdAndXzMayAskForNewerVersions) {
  const ZipListing listing =
      list(zip_of({{.name = "a", .content = "x", .method = 93, .version = 63},
                   {.name = "b", .content = "x", .method = 95, .version = 63},
                   {.name = "c", .content = "x", .method = 8, .version = 46}}));
  EXPECT_EQ(listing.entries.at(0).codec, Codec::Zstd);
  EXPECT_EQ(listing.entries.at(1).codec, Codec::Xz);
  EXPECT_FALSE(listing.entries.at(0).unsupported || listing.entries.at(1).unsupported);
  EXPECT_TRUE(listing.entries.at(2).unsupported);
}

TEST(Zip, UnsupportedEntriesDoNotHideTheOthers) {
  const ZipListing listing = list(zip_of({{.name = "lzma", .content = "x", .method = 14},
                                          {.name = "secret", .content = "x", .flags = 1},
                                          {.name = "fine", .content = "x"}}));
  ASSERT_EQ(names(listing), (Names{"lzma", "secret", "fine"}));
  EXPECT_EQ(listing.entries[0].unsupported->message,
            "Unsupported compression type at offset 0x1e. type=e. Only deflate and no compression "
            "are supported.");
  EXPECT_EQ(listing.entries[1].unsupported->message,
            "Unsupported zip features at offset 0x41. version=14, flags=1");
  EXPECT_FALSE(listing.entries[2].unsupported);
}

TEST(Zip, DirectoryLeadsPastDamage) {
  std::string archive = zip_of(three());
  const size_t second = archive.find("PK\3\4", 4);
  archive[second] = 'X';
  const ZipListing listing = list(archive);
  EXPECT_EQ(names(listing), (Names{"a", "c"}));
  EXPECT_EQ(first_problem(listing), "Invalid zip header at offset 0x26 (ERR:tp-corrupt)");
}

TEST(Zip, EntriesNeverShareBytes) {
  // The second entry extends beyond the end of the file.
  std::string archive = zip_of(three());
  const size_t second = archive.find("PK\3\4", 4);
  archive.replace(second + 18, 4, test::le(1 << 20, 4));
  const ZipListing listing = list(archive);
  ASSERT_EQ(names(listing), (Names{"a", "b", "c"}));
  EXPECT_EQ(first_problem(listing), kPremature);
  EXPECT_EQ(archive.substr(listing.entries[1].offset, listing.entries[1].packed_size), "second");
  EXPECT_FALSE(listing.entries[1].crc);
}

TEST(Zip, CutAnywhereKeepsAPrefix) {
  for (const bool descriptor : {false, true}) {
    std::vector<ZipMember> members = three();
    for (ZipMember& member : members) member.method = 8;
    for (ZipMember& member : members) member.descriptor = descriptor;
    const std::string archive = zip_of(members);
    const size_t directory = archive.find("PK\1\2");
    for (size_t size = 4; size < archive.size(); ++size) {
      const ZipListing cut = list(archive.substr(0, size));
      const bool complete = size >= directory + 4;
      EXPECT_EQ(cut.problems.empty(), complete) << size;
      for (const ZipEntry& entry : cut.entries)
        EXPECT_LE(entry.offset + entry.packed_size, size) << size;
      if (complete) {
        EXPECT_EQ(names(cut), (Names{"a", "b", "c"})) << size;
      }
    }
  }
}

TEST(Zip, StopsAtTheLimit) {
  EXPECT_FALSE(list(zip_of(three()), 3).too_many);
  EXPECT_TRUE(list(zip_of(three()), 2).too_many);
}

}  // namespace
}  // namespace tracebraid
