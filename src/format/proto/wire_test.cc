#include "format/proto/wire.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace tracebraid::proto {
namespace {

std::string varint(uint64_t value, size_t at_least = 1) {
  std::string bytes;
  for (; value >= 0x80 || bytes.size() + 1 < at_least; value >>= 7)
    bytes += static_cast<char>((value & 0x7f) | 0x80);
  return bytes + static_cast<char>(value);
}

void expect_read(const std::string& bytes, const std::string& behind, uint64_t value) {
  const std::string all = bytes + behind;
  const char* at = all.data();
  uint64_t read = 0;
  ASSERT_TRUE(read_varint(at, all.data() + all.size(), read)) << bytes.size();
  EXPECT_EQ(read, value);
  EXPECT_EQ(at, all.data() + bytes.size());
}

TEST(Wire, VarintsOfEachLengthAreReadWhateverIsBehind) {
  std::mt19937_64 random(1);
  for (unsigned bits = 0; bits <= 64; ++bits) {
    for (int i = 0; i < 50; ++i) {
      const uint64_t value = bits == 0 ? 0 : random() >> (64 - bits);
      expect_read(varint(value), "", value);
      expect_read(varint(value), "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", value);
      expect_read(varint(value), std::string(12, '\0'), value);
      for (size_t longer = 2; longer <= 10; ++longer)
        expect_read(varint(value, longer), "abcdefgh", value);
    }
  }
}

TEST(Wire, VarintsWithoutAnEndAreNotRead) {
  for (const size_t size : {0U, 1U, 7U, 8U, 9U, 11U, 20U}) {
    const std::string bytes(size, '\x80');
    const char* at = bytes.data();
    uint64_t value = 0;
    EXPECT_FALSE(read_varint(at, bytes.data() + size, value)) << size;
    EXPECT_EQ(at, bytes.data());
  }
}

}  // namespace
}  // namespace tracebraid::proto
