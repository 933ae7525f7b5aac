#include "container/tar.h"

#include "container/test_archives.h"

namespace tracebraid {
namespace {

using test::noise;
using test::octal;
using test::pax;
using test::tar_block;
using test::tar_of;
using test::TarMember;

constexpr uint32_t kMany = 1000;

std::vector<std::string> names(const TarListing& listing) {
  std::vector<std::string> names;
  for (const TarEntry& entry : listing.entries) names.push_back(entry.name);
  return names;
}

std::string first_problem(const TarListing& listing) {
  return listing.problems.empty() ? "" : listing.problems.front().message;
}

using Names = std::vector<std::string>;

TEST(Tar, ListsFilesInPlace) {
  const std::string archive =
      tar_of({{"a", "first"}, {"b", ""}, {"c", std::string(512, 'x')}, {"d", "last"}});
  const TarListing listing = list_tar(archive, kMany);
  ASSERT_EQ(names(listing), (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(archive.substr(listing.entries[0].offset, listing.entries[0].size), "first");
  EXPECT_EQ(archive.substr(listing.entries[3].offset, listing.entries[3].size), "last");
  EXPECT_TRUE(listing.problems.empty());
}

TEST(Tar, SniffsBothMagics) {
  EXPECT_TRUE(is_tar(tar_of({{"a", "x"}})));
  EXPECT_TRUE(
      is_tar(tar_of({{.name = "a", .content = "x", .magic = std::string("ustar  \0", 8)}})));
  EXPECT_FALSE(is_tar(tar_of({{.name = "a", .content = "x", .magic = "ustarx00"}})));
  EXPECT_FALSE(is_tar(""));
}

TEST(Tar, JoinsPrefixOfUstarOnly) {
  const std::string gnu = std::string("ustar  \0", 8);
  const std::string archive =
      tar_of({{.name = "f", .content = "x", .prefix = "dir"},
              {.name = "g", .content = "x", .prefix = "dir", .magic = gnu}});
  EXPECT_EQ(names(list_tar(archive, kMany)), (Names{"dir/f", "g"}));
}

TEST(Tar, LongNamesOfGnuLoseTheirNul) {
  const std::string name(300, 'n');
  const std::string archive = tar_of({{"././@LongLink", std::string(200, 'k'), 'K'},
                                      {"././@LongLink", name + '\0', 'L'},
                                      {"short", "x"},
                                      {"next", "y"}});
  EXPECT_EQ(names(list_tar(archive, kMany)), (Names{name, "next"}));
}

TEST(Tar, PaxPathAndSizeHoldForTheNextFileOnly) {
  const std::string records = pax("mtime", "1.5") + pax("path", "l\xc3\xa4ng") + pax("size", "3");
  TarMember file{"short", "abc"};
  file.size_field = octal(0, 11);
  const std::string archive =
      tar_of({{"h", records, 'x'}, file, {"g", pax("path", "no"), 'g'}, {"next", "y"}});
  const TarListing listing = list_tar(archive, kMany);
  EXPECT_EQ(names(listing), (Names{"l\xc3\xa4ng", "next"}));
  EXPECT_EQ(listing.entries[0].size, 3u);
  EXPECT_EQ(first_problem(listing), "");
}

TEST(Tar, DamagedPaxRecordsAreIgnored) {
  for (const std::string& records :
       {std::string("5 pa"), std::string("99 path=x\n"), std::string("x"),
        std::string("0 path=x\n"), std::string("18446744073709551616 path=x\n"),
        std::string("2 path=x\n"), std::string("11path=ab\n")}) {
    const std::string archive = tar_of({{"h", records, 'x'}, {"kept", "y"}});
    EXPECT_EQ(names(list_tar(archive, kMany)), Names{"kept"}) << records;
  }
}

TEST(Tar, SizesOctalAndBinary) {
  const std::string binary = "\x80" + std::string(9, '\0') + "\x02\x01";
  for (const std::string& field : {octal(513, 11), octal(513, 10) + " ", std::string("       1001"),
                                   std::string("1001"), binary}) {
    TarMember member{"a", std::string(513, 'x')};
    member.size_field = field;
    member.size_field.resize(12, '\0');
    const TarListing listing = list_tar(tar_of({member, {"b", "y"}}), kMany);
    EXPECT_EQ(names(listing), (Names{"a", "b"})) << field;
    EXPECT_EQ(listing.entries.at(0).size, 513u) << field;
  }
}

TEST(Tar, BadSizesStopTheWalk) {
  const std::string negative = "\xff" + std::string(11, '\xff');
  const std::string huge = "\x80\x01" + std::string(10, '\0');
  for (const std::string& field : {std::string("zz00000"), std::string("            "),
                                   std::string("12x"), std::string("8"), negative, huge}) {
    TarMember member{"b", "y"};
    member.size_field = field;
    const TarListing listing = list_tar(tar_of({{"a", "x"}, member}), kMany);
    EXPECT_EQ(names(listing), Names{"a"});
    EXPECT_EQ(first_problem(listing), "Failed to parse size field: " + std::string(field.c_str()));
  }
}

TEST(Tar, SizeBeyondTheEndKeepsWhatIsThere) {
  TarMember member{"a", "abc"};
  member.size_field = "77777777777";
  const std::string archive = tar_of({member});
  const TarListing listing = list_tar(archive, kMany);
  ASSERT_EQ(names(listing), Names{"a"});
  EXPECT_EQ(listing.entries[0].size, archive.size() - 512);
  EXPECT_EQ(first_problem(listing), "Premature end of TAR file (ERR:tp-corrupt)");
}

TEST(Tar, TypesOtherThanFiles) {
  const std::string archive = tar_of({{"dir/", "", '5'},
                                      {"link", "", '2'},
                                      {"odd", "data", 'V'},
                                      {"old", "x", '\0'},
                                      {"olddir/", "", '\0'},
                                      {"s", pax("GNU.sparse.major", "1"), 'x'},
                                      {"sparse", "data"},
                                      {"last", "y"}});
  const TarListing listing = list_tar(archive, kMany);
  EXPECT_EQ(names(listing), (Names{"old", "last"}));
  ASSERT_EQ(listing.problems.size(), 2u);
  EXPECT_EQ(listing.problems[0].message, "Unsupported file type: 0x56");
  EXPECT_EQ(listing.problems[1].message, "Unsupported file type: 0x53");
}

TEST(Tar, HeadersThatAreNone) {
  TarMember magic{"b", "y"};
  magic.magic = "nostar00";
  EXPECT_EQ(first_problem(list_tar(tar_of({{"a", "x"}, magic}), kMany)), "Invalid magic value");
  TarMember version{"b", "y"};
  version.magic = std::string(
      "ustar\0"
      "12",
      8);
  EXPECT_EQ(first_problem(list_tar(tar_of({{"a", "x"}, version}), kMany)), "Invalid version: 12");
}

TEST(Tar, TwoZeroBlocksEnd) {
  const std::string file = tar_block({"a", "x"});
  const std::string zeros(512, '\0');
  constexpr std::string_view kPremature = "Premature end of TAR file (ERR:tp-corrupt)";
  EXPECT_EQ(first_problem(list_tar(file, kMany)), kPremature);
  EXPECT_EQ(first_problem(list_tar(file + zeros, kMany)), kPremature);
  EXPECT_EQ(first_problem(list_tar(file + zeros + zeros, kMany)), "");
  EXPECT_EQ(names(list_tar(file + zeros + file + zeros + zeros, kMany)), (Names{"a", "a"}));
  EXPECT_EQ(names(list_tar(file + zeros + zeros + file, kMany)), Names{"a"});
}

TEST(Tar, StopsAtTheLimit) {
  const std::string archive = tar_of({{"a", "x"}, {"b", "y"}});
  EXPECT_FALSE(list_tar(archive, 2).too_many);
  EXPECT_TRUE(list_tar(archive, 1).too_many);
  EXPECT_EQ(names(list_tar(archive, 1)), Names{"a"});
}

TEST(Tar, CutAnywhereKeepsAPrefix) {
  const std::string archive =
      tar_of({{"h", pax("path", "named"), 'x'}, {"a", "abc"}, {"b", noise(600)}});
  const TarListing whole = list_tar(archive, kMany);
  for (size_t size = 0; size < archive.size(); ++size) {
    const TarListing cut = list_tar(archive.substr(0, size), kMany);
    ASSERT_LE(cut.entries.size(), whole.entries.size());
    for (size_t i = 0; i < cut.entries.size(); ++i) {
      EXPECT_EQ(cut.entries[i].name, whole.entries[i].name);
      EXPECT_LE(cut.entries[i].offset + cut.entries[i].size, size);
    }
    EXPECT_EQ(first_problem(cut), "Premature end of TAR file (ERR:tp-corrupt)") << size;
  }
}

}  // namespace
}  // namespace tracebraid
