#include "container/unpack.h"

#include <cstring>

#include "container/test_archives.h"

namespace tracebraid {
namespace {

using test::noise;

constexpr std::string_view kIncomplete =
    "Compressed stream incomplete, trace is likely corrupt (ERR:tp-corrupt)";
constexpr std::string_view kCorrupt = "Failed to decompress trace chunk (ERR:tp-corrupt)";

Meter meter_for(size_t packed, const ContainerLimits& limits = {}) {
  return Meter(std::make_shared<Budget>(ContainerOptions{.limits = limits, .files = {}}), packed);
}

struct Read {
  std::string bytes;
  std::string problem;
  ErrorCode code{};
};

Read read_all(const Packed& packed, size_t block, const ContainerLimits& limits = {}) {
  const Decoder decoder = unpack(packed, meter_for(packed.bytes.view.size(), limits));
  Read read;
  std::string buffer(block, '\0');
  while (true) {
    const Result<size_t> got = decoder(buffer.data(), buffer.size());
    if (!got) {
      read.problem = got.error().message;
      read.code = got.error().code;
    }
    if (!got || *got == 0) return read;
    read.bytes.append(buffer, 0, *got);
  }
}

Packed packed_of(std::string_view bytes, Codec codec) {
  return {{bytes, nullptr, nullptr}, codec, true, std::nullopt};
}

struct Case {
  Codec codec;
  std::string (*pack)(std::string_view);
};
std::string pack_gzip(std::string_view bytes) { return test::gzipped(bytes); }
std::string pack_zlib(std::string_view bytes) { return test::zlib_pack(bytes, 15); }

const Case kCases[] = {{Codec::Deflate, test::deflated},
                       {Codec::Zlib, pack_zlib},
                       {Codec::Gzip, pack_gzip},
                       {Codec::Zstd, test::zstd_packed},
                       {Codec::Xz, test::xz_packed}};

TEST(Unpack, EveryCodecInAnyBlockSize) {
  const std::string text = noise(100'000);
  for (const Case& each : kCases) {
    const std::string packed = each.pack(text);
    for (const size_t block : {size_t{1}, size_t{777}, size_t{1} << 20}) {
      const Read read = read_all(packed_of(packed, each.codec), block);
      EXPECT_EQ(read.bytes, text);
      EXPECT_EQ(read.problem, "");
    }
  }
}

TEST(Unpack, FramesAreOneStream) {
  for (const Case& each : kCases) {
    if (each.codec == Codec::Deflate || each.codec == Codec::Zlib) continue;
    const std::string packed = each.pack("one ") + each.pack("") + each.pack("two");
    EXPECT_EQ(read_all(packed_of(packed, each.codec), 100).bytes, "one two");
    // Padding with zeros is usual; other bytes are damage.
    const Read padded = read_all(packed_of(packed + std::string(512, '\0'), each.codec), 100);
    EXPECT_EQ(padded.bytes, "one two");
    EXPECT_EQ(padded.problem, "");
    const Read rubbish = read_all(packed_of(packed + "rubbish", each.codec), 100);
    EXPECT_EQ(rubbish.bytes, "one two");
    EXPECT_EQ(rubbish.problem, kCorrupt);
  }
}

TEST(Unpack, CutAnywhereGivesAPrefixAndTells) {
  const std::string text = noise(2000);
  for (const Case& each : kCases) {
    const std::string packed = each.pack(text);
    for (size_t size = 0; size < packed.size(); ++size) {
      const Read read =
          read_all(packed_of(std::string_view(packed).substr(0, size), each.codec), 64);
      EXPECT_TRUE(text.starts_with(read.bytes)) << size;
      EXPECT_EQ(read.problem, kIncomplete) << size;
    }
  }
}

TEST(Unpack, MuchOfALongCutStreamIsKept) {
  const std::string text = noise(2'000'000);
  for (const Case& each : kCases) {
    const std::string packed = each.pack(text);
    const std::string_view half = std::string_view(packed).substr(0, packed.size() / 2);
    const Read read = read_all(packed_of(half, each.codec), 1 << 20);
    EXPECT_GT(read.bytes.size(), text.size() / 3);
    EXPECT_TRUE(text.starts_with(read.bytes));
  }
}

TEST(Unpack, DamageAnywhereNeitherCrashesNorHangs) {
  const std::string text = noise(2000);
  for (const Case& each : kCases) {
    const std::string packed = each.pack(text);
    for (size_t at = 0; at < packed.size(); ++at) {
      std::string damaged = packed;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
      const Read read = read_all(packed_of(damaged, each.codec), 4096);
      EXPECT_LT(read.bytes.size(), size_t{1} << 20);
    }
  }
}

TEST(Unpack, BytesBeforeTheDamageAreKept) {
  const std::string text = noise(300'000);
  std::string packed = test::gzipped(text);
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);  // its CRC
  const Read read = read_all(packed_of(packed, Codec::Gzip), 65536);
  EXPECT_EQ(read.bytes, text);
  EXPECT_EQ(read.problem, kCorrupt);
}

TEST(Unpack, SmallMembersOfKnownSize) {
  const std::string text = noise(5000);
  const std::string packed = test::deflated(text);
  for (const size_t claimed : {text.size(), text.size() - 1, text.size() + 1, size_t{0}}) {
    Packed member{{packed, nullptr, nullptr}, Codec::Deflate, false, claimed};
    EXPECT_EQ(read_all(member, 999).bytes, text) << claimed;
    EXPECT_EQ(read_all(member, 999).problem, "") << claimed;
  }
  Packed cut{{std::string_view(packed).substr(0, packed.size() / 2), nullptr, nullptr},
             Codec::Deflate,
             false,
             text.size()};
  const Read read = read_all(cut, 999);
  EXPECT_FALSE(read.bytes.empty());
  EXPECT_TRUE(text.starts_with(read.bytes));
  EXPECT_EQ(read.problem, kIncomplete);
}

TEST(Unpack, LimitsNameTheirOption) {
  const std::string bomb = test::gzipped(std::string(size_t{80} << 20, '\0'));
  const auto problem = [&](const ContainerLimits& limits) {
    return read_all(packed_of(bomb, Codec::Gzip), size_t{1} << 20, limits).problem;
  };
  EXPECT_EQ(problem({}), "");
  EXPECT_NE(problem({.max_ratio = 100}).find("--max-ratio"), std::string::npos);
  EXPECT_NE(problem({.max_member_bytes = 1 << 20}).find("--max-member-bytes"), std::string::npos);
  EXPECT_NE(problem({.max_total_bytes = 1 << 20}).find("--max-total-bytes"), std::string::npos);
}

// A dictionary of 3 GiB.
TEST(Unpack, DataThatRequiresTooMuchMemoryIsBeyondALimit) {
  constexpr size_t kHeader = 12;  // of the stream; then that of the block
  std::string packed = test::xz_packed("text");
  const size_t size = (static_cast<uint8_t>(packed[kHeader]) + 1) * size_t{4};
  constexpr std::string_view kLzma2("\x21\x01", 2);
  const size_t filter = packed.find(kLzma2, kHeader);
  ASSERT_LT(filter, kHeader + size);
  packed[filter + kLzma2.size()] = 39;
  const size_t crc_at = kHeader + size - 4;
  const uint32_t crc = crc32_of(std::string_view(packed).substr(kHeader, size - 4));
  std::memcpy(packed.data() + crc_at, &crc, sizeof crc);
  const Read read = read_all(packed_of(packed, Codec::Xz), 4096);
  EXPECT_EQ(read.code, ErrorCode::Limit) << read.problem;
  EXPECT_NE(read.problem.find("memory"), std::string::npos) << read.problem;
}

TEST(Meter, CountsAMemberOnceHoweverOftenItIsRead) {
  const auto budget =
      std::make_shared<Budget>(ContainerOptions{.limits = {.max_total_bytes = 100}, .files = {}});
  const Meter first(budget, 10);
  const Meter again = first;
  EXPECT_TRUE(first.reached(60));
  EXPECT_TRUE(again.reached(60));
  const Meter second(budget, 10);
  EXPECT_TRUE(second.reached(40));
  EXPECT_FALSE(second.reached(41));
}

// An archive without large members, but without an end.
TEST(Meter, WeighsAllMembersAgainstTheInput) {
  constexpr uint64_t kGiB = uint64_t{1} << 30, kMember = kGiB / 20;
  const auto budget =
      std::make_shared<Budget>(ContainerOptions{.limits = {.max_ratio = 2000}, .files = {}});
  budget->packed = 42'000;
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(Meter(budget, 10'000).reached(kMember));
  const Result<> more = Meter(budget, 10'000).reached(kMember);
  ASSERT_FALSE(more);
  EXPECT_NE(more.error().message.find("--max-ratio"), std::string::npos);
  budget->packed = kGiB;
  EXPECT_TRUE(Meter(budget, 10'000).reached(kMember));
}

TEST(MeasureFrame, FindsTheEndOfTheFirst) {
  const std::string first = test::gzipped("first");
  const std::string both = first + test::gzipped("second");
  const Result<FrameExtent> extent =
      measure_frame(packed_of(both, Codec::Gzip), meter_for(both.size()));
  ASSERT_TRUE(extent);
  EXPECT_EQ(extent->packed, first.size());
  EXPECT_EQ(extent->unpacked, 5u);
  EXPECT_EQ(extent->crc, crc32_of("first"));
  EXPECT_FALSE(
      measure_frame(packed_of(std::string_view(first).substr(0, 12), Codec::Gzip), meter_for(12)));
}

}  // namespace
}  // namespace tracebraid
