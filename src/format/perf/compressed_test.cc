#include "format/perf/compressed.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <vector>

namespace tracebraid::perf {
namespace {

// Returns one frame in ranges, each of which can be decompressed separately, as perf writes them.
std::vector<std::string> packed_parts(const std::vector<std::string>& texts) {
  std::vector<std::string> parts;
  ZSTD_CStream* const stream = ZSTD_createCStream();
  ZSTD_initCStream(stream, 1);
  for (const std::string& text : texts) {
    std::string part(ZSTD_compressBound(text.size()) + 64, '\0');
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    ZSTD_outBuffer out{part.data(), part.size(), 0};
    ZSTD_compressStream(stream, &out, &in);
    ZSTD_flushStream(stream, &out);
    part.resize(out.pos);
    parts.push_back(part);
  }
  ZSTD_freeCStream(stream);
  return parts;
}

TEST(PerfUnpacker, PartsOfOneStreamGoOnFromEachOther) {
  const std::string big(1'000'000, 'b');
  const std::vector<std::string> parts = packed_parts({"first", big, "third"});
  Unpacker unpacker;
  EXPECT_EQ(unpacker.add(parts[0]), "first");
  unpacker.keep("st");
  const auto second = unpacker.add(parts[1]);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->substr(0, 3), "stb");
  EXPECT_EQ(second->size(), big.size() + 2);
  EXPECT_EQ(unpacker.rest(), "");
  EXPECT_EQ(unpacker.add(parts[2]), "third");
}

TEST(PerfUnpacker, DamageEndsTheStream) {
  const std::vector<std::string> parts = packed_parts({"first", "second"});
  Unpacker unpacker;
  EXPECT_TRUE(unpacker.add(parts[0]));
  EXPECT_FALSE(unpacker.add("this is no part of it"));
  EXPECT_FALSE(unpacker.add(parts[1]));
}

TEST(PerfUnpacker, WhatGrowsOutOfProportionIsRefused) {
  const std::string zeros(size_t{64} << 20, '\0');
  Unpacker unpacker;
  EXPECT_FALSE(unpacker.add(packed_parts({zeros})[0]));
}

}  // namespace
}  // namespace tracebraid::perf
