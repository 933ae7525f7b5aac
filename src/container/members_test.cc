#include "container/members.h"

#include <cstdlib>

#include "container/test_archives.h"

namespace tracebraid {
namespace {

using test::gzipped;
using test::members_of;
using test::noise;
using test::problems_of;
using test::read_leaf;
using test::rows_of;
using test::tar_of;
using test::zip_of;
using test::zstd_packed;

using Rows = std::vector<std::string>;
using Texts = std::vector<std::string>;

constexpr uint16_t kMethods[] = {0, 8, 93, 95};
constexpr std::string_view kManifest = R"({ "perfetto_manifest": {"version": 1} })";

TEST(Members, PlainFileIsItsOwnLeaf) {
  const std::vector<Member> members = members_of("plain text");
  ASSERT_EQ(rows_of(members), Rows{"-:-:unknown"});
  EXPECT_EQ(members[0].size, 10u);
  EXPECT_EQ(read_leaf(members[0]).bytes, "plain text");
  EXPECT_EQ(read_leaf(members[0]).bytes, "plain text");  // again from the start
  EXPECT_FALSE(members[0].empty);
  EXPECT_TRUE(members_of("").at(0).empty);
}

TEST(Members, RowsOfATarInGzip) {
  const std::vector<Member> members =
      members_of(gzipped(tar_of({{"z", "1"}, {"b", "2"}, {"c", "3"}})));
  EXPECT_EQ(rows_of(members),
            (Rows{"-:-:gzip", "0::tar", "1:z:unknown", "1:b:unknown", "1:c:unknown"}));
  EXPECT_EQ(members[1].size, 1024u + 3 * 1024);
  EXPECT_EQ(members[2].path, "in/z");
  EXPECT_EQ(read_leaf(members[4]).bytes, "3");
}

TEST(Members, EveryCompressionHoldsOneStream) {
  for (const std::string& packed :
       {gzipped("text"), zstd_packed("text"), test::xz_packed("text"),
        "capturing trace... done\nTRACE:\n" + test::zlib_pack("text", 15) + "\n"}) {
    const std::vector<Member> members = members_of(packed);
    ASSERT_EQ(members.size(), 2u);
    EXPECT_EQ(members[1].name, "");
    EXPECT_EQ(members[1].path, "in");
    EXPECT_EQ(read_leaf(members[1]).bytes, "text");
    EXPECT_EQ(read_leaf(members[1]).problem, std::nullopt);
    EXPECT_TRUE(members[0].problems.empty());
  }
}

// All rows of an archive come before the rows of its members' members; the archives among them are
// listed by name, ctrace last.
TEST(Members, OrderOfNestedArchives) {
  const std::string inner = zip_of({{.name = "x", .content = "1"}, {.name = "y", .content = "2"}});
  const std::string ctrace = "TRACE:\n" + test::zlib_pack("text", 15);
  const std::string outer = zip_of({{.name = "b.zip", .content = inner},
                                    {.name = "A.ctrace", .content = ctrace},
                                    {.name = "leaf", .content = "text"},
                                    {.name = "a.gz", .content = gzipped(inner), .method = 8}});
  const std::vector<Member> members = members_of(outer);
  EXPECT_EQ(rows_of(members), (Rows{"-:-:zip", "0:b.zip:zip", "0:A.ctrace:ctrace", "0:leaf:unknown",
                                    "0:a.gz:gzip", "4::zip", "5:x:unknown", "5:y:unknown",  //
                                    "1:x:unknown", "1:y:unknown",                           //
                                    "2::unknown"}));
  EXPECT_EQ(members[6].path, "in/a.gz/x");
  EXPECT_EQ(read_leaf(members[7]).bytes, "2");
}

TEST(Members, ManifestAtTheStartOfAStreamStandsAlone) {
  const std::string manifest(kManifest);
  for (const auto& pack : {+[](std::string_view bytes) { return gzipped(bytes); },
                           +[](std::string_view bytes) { return zstd_packed(bytes); }}) {
    const std::vector<Member> members = members_of(pack(manifest) + pack("one ") + pack("two"));
    ASSERT_EQ(rows_of(members), (Rows{"-:-:" + std::string(name_of(members[0].container)),
                                      "0::unknown", "0::unknown"}));
    EXPECT_EQ(read_leaf(members[1]).bytes, manifest);
    EXPECT_EQ(read_leaf(members[2]).bytes, "one two");
    EXPECT_EQ(members_of(pack(manifest)).size(), 2u);
    EXPECT_EQ(members_of(pack("one ") + pack(manifest)).size(), 2u);
  }
}

TEST(Members, HiddenEntriesAndDirectoriesHaveNoRow) {
  const std::vector<Member> zip = members_of(zip_of({{.name = "d/", .content = ""},
                                                     {.name = "__MACOSX/._a", .content = "x"},
                                                     {.name = ".x/a", .content = "x"},
                                                     {.name = "../up", .content = "x"},
                                                     {.name = "./a", .content = "x"}}));
  EXPECT_EQ(rows_of(zip), (Rows{"-:-:zip", "0:../up:unknown", "0:./a:unknown"}));
  const std::vector<Member> tar =
      members_of(tar_of({{"d", "", '5'}, {"./._a", "x"}, {"./a", "x"}}));
  EXPECT_EQ(rows_of(tar), (Rows{"-:-:tar", "0:./a:unknown"}));
}

TEST(Members, StrangeNamesStayAsTheyAre) {
  const std::string name("../../\xff\\ \0\n", 11);
  const std::vector<Member> members =
      members_of(zip_of({{.name = name, .content = "x"}, {.name = "", .content = "y"}}));
  EXPECT_EQ(members.at(1).name, name);
  EXPECT_EQ(members.at(2).name, "");
}

TEST(Members, EmptyMembersAreMarked) {
  const std::vector<Member> members = members_of(zip_of(
      {{.name = "stored", .content = ""}, {.name = "deflated", .content = "", .method = 8}}));
  EXPECT_TRUE(members.at(1).empty);
  EXPECT_TRUE(members.at(2).empty);
}

TEST(Members, ZipMethods) {
  for (const uint16_t method : kMethods) {
    const std::string text = noise(3'000'000, method + 1u);
    const std::vector<Member> members =
        members_of(zip_of({{.name = "a", .content = text, .method = method}}));
    EXPECT_EQ(read_leaf(members.at(1), 65536).bytes, text);
    EXPECT_EQ(read_leaf(members.at(1), 65536).problem, std::nullopt);
  }
}

TEST(Members, WrongCrcIsFoundWhateverTheMethod) {
  for (const uint16_t method : kMethods)
    for (const size_t size : {size_t{10}, size_t{2'000'000}}) {
      const std::vector<Member> members = members_of(
          zip_of({{.name = "a", .content = noise(size), .method = method, .crc = 0x4030201}}));
      const test::Leaf leaf = read_leaf(members.at(1));
      EXPECT_EQ(leaf.bytes.size(), size);
      EXPECT_TRUE(leaf.problem.value_or("").ends_with("expected: 4030201) (ERR:tp-corrupt)"));
    }
}

TEST(Members, ProblemsBelongToTheirArchive) {
  const std::string tar = tar_of({{"a", "x"}});
  const std::string cut = tar.substr(0, tar.size() - 600);
  const std::string outer =
      zip_of({{.name = "cut.tar", .content = cut},
              {.name = "bad.zip", .content = zip_of({{.name = "x", .content = "y"}}), .crc = 1},
              {.name = "fine", .content = "text"},
              {.name = "odd", .content = "text", .method = 99}});
  const std::vector<Member> members = members_of(outer);
  EXPECT_TRUE(members[0].problems.empty());
  EXPECT_EQ(problems_of(members[1]), Texts{"Premature end of TAR file (ERR:tp-corrupt)"});
  ASSERT_EQ(members[2].problems.size(), 1u);
  EXPECT_TRUE(members[2].problems[0].message.starts_with("Zip CRC32 failure on bad.zip"));
  EXPECT_TRUE(members[3].problems.empty());
  ASSERT_EQ(members[4].problems.size(), 1u);
  EXPECT_FALSE(members[4].open);
  EXPECT_EQ(rows_of(members).size(), 7u);  // both archives were listed all the same
}

TEST(Members, CutCompressedArchiveKeepsItsFirstMembers) {
  const std::string tar = tar_of({{"a", noise(100'000, 1)}, {"b", noise(100'000, 2)}});
  const std::string packed = gzipped(tar);
  const std::vector<Member> members = members_of(packed.substr(0, packed.size() * 3 / 4));
  ASSERT_EQ(rows_of(members), (Rows{"-:-:gzip", "0::tar", "1:a:unknown", "1:b:unknown"}));
  EXPECT_EQ(problems_of(members[1]),
            (Texts{"Compressed stream incomplete, trace is likely corrupt (ERR:tp-corrupt)",
                   "Premature end of TAR file (ERR:tp-corrupt)"}));
  EXPECT_EQ(read_leaf(members[2]).bytes, noise(100'000, 1));
}

TEST(Members, NestingEndsAtTheLimit) {
  std::string nested = "text";
  for (int i = 0; i < 20; ++i) nested = gzipped(nested, 0);
  const std::vector<Member> members = members_of(nested);
  EXPECT_EQ(members.size(), 17u);
  EXPECT_NE(members.back().problems.at(0).message.find("--max-depth"), std::string::npos);
  EXPECT_EQ(members.back().problems.at(0).code, ErrorCode::Limit);
  EXPECT_EQ(members_of(nested, {.max_depth = 20}).size(), 21u);
}

TEST(Members, CountEndsAtTheLimit) {
  const std::string zip = zip_of({{.name = "a", .content = "1"},
                                  {.name = "b", .content = "2"},
                                  {.name = "c", .content = "3"}});
  for (const std::string& archive : {zip, tar_of({{"a", "1"}, {"b", "2"}, {"c", "3"}})}) {
    const std::vector<Member> members = members_of(archive, {.max_members = 3});
    EXPECT_EQ(members.size(), 3u);
    EXPECT_NE(members[0].problems.at(0).message.find("--max-members"), std::string::npos);
  }
  EXPECT_EQ(members_of(gzipped("x"), {.max_members = 1}).at(0).problems.size(), 1u);
}

TEST(Members, BombsAreStoppedInsideArchivesToo) {
  const std::string zeros(size_t{100} << 20, '\0');
  const std::string bomb = gzipped(zip_of({{.name = "a", .content = zeros, .method = 8}}));
  const std::vector<Member> members = members_of(bomb, {.max_ratio = 500});
  const test::Leaf leaf = read_leaf(members.back(), 1 << 20);
  EXPECT_NE(leaf.problem.value_or("").find("--max-ratio"), std::string::npos);
  EXPECT_LT(leaf.bytes.size(), zeros.size());
}

// The inner archive is compressed and larger than the limit of memory.
TEST(Members, LargeInnerArchiveGoesToATemporaryFile) {
  const std::string text = noise(size_t{70} << 20);
  const std::string packed = zstd_packed(tar_of({{"big", text}, {"small", "end"}}));
  const test::TemporaryDirectory directory;
  const std::vector<Member> members =
      members_of(packed, {}, {.temporary_directory = directory.path()});
  ASSERT_EQ(members.size(), 4u);
  EXPECT_TRUE(read_leaf(members[2], 1 << 20).bytes == text);
  EXPECT_EQ(read_leaf(members[3]).bytes, "end");
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));  // it has no name
}

TEST(Members, NoRoomForTheTemporaryFileIsAProblemOfTheArchive) {
  const std::string packed = zstd_packed(tar_of({{"big", noise(size_t{70} << 20)}}));
  const std::vector<Member> members =
      members_of(packed, {}, {.temporary_directory = "/nonexistent"});
  ASSERT_EQ(members.size(), 2u);
  ASSERT_EQ(members[1].problems.size(), 1u);
  EXPECT_EQ(members[1].problems[0].code, ErrorCode::Io);
  EXPECT_NE(members[1].problems[0].message.find("/nonexistent: No such file"), std::string::npos);
}

TEST(Members, CancellingIsAnError) {
  Progress progress;
  progress.cancel();
  const std::string archive = tar_of({{"a", "x"}});
  const auto members = open_bytes("in", archive, nullptr, {}, progress);
  ASSERT_FALSE(members);
  EXPECT_EQ(members.error().code, ErrorCode::Cancelled);
}

size_t bytes_in(const Member& member) { return member.open ? read_leaf(member).bytes.size() : 0; }

// Truncates every archive at every byte: no crash, no hang, no invented members.
TEST(Members, CutAnywhere) {
  const std::string inner =
      zip_of({{.name = "x", .content = "inner x"},
              {.name = "y", .content = noise(300), .method = 8, .descriptor = true}});
  const std::string wholes[] = {
      zip_of({{.name = "in.zip", .content = inner, .method = 8},
              {.name = "a", .content = "plain"},
              {.name = "z.xz", .content = test::xz_packed(inner), .method = 93}}),
      tar_of({{"in.zip", inner}, {"a.gz", gzipped(inner)}}),
      gzipped(tar_of({{"a", "x"}, {"in.zip", inner}})),
      zstd_packed(inner),
      test::xz_packed(inner),
      "TRACE:\n" + test::zlib_pack("text", 15),
      gzipped(kManifest) + gzipped("text")};
  for (const std::string& whole : wholes) {
    const size_t rows = members_of(whole).size();
    for (size_t size = 0; size < whole.size(); ++size) {
      const std::vector<Member> members = members_of(whole.substr(0, size));
      ASSERT_LE(members.size(), rows) << size;
    }
    for (size_t size = 0; size < whole.size(); ++size) {
      const std::string cut = whole.substr(0, size);
      for (const Member& member : members_of(cut)) EXPECT_LT(bytes_in(member), 4096u);
    }
  }
}

// Damages every byte of every archive in turn.
TEST(Members, DamagedAnywhere) {
  const std::string inner =
      zip_of({{.name = "x", .content = "inner x"},
              {.name = "y", .content = noise(300), .method = 8, .descriptor = true}});
  for (const std::string& whole : {inner, tar_of({{"in.zip", inner}}), gzipped(inner)})
    for (size_t at = 0; at < whole.size(); ++at)
      for (const char with : {'\0', '\xff', static_cast<char>(whole[at] ^ 1)}) {
        std::string damaged = whole;
        damaged[at] = with;
        for (const Member& member : members_of(damaged)) EXPECT_LT(bytes_in(member), 1u << 20);
      }
}

}  // namespace
}  // namespace tracebraid
