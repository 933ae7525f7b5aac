#include "format/common/proto_wire.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "format/proto/test_trace.h"

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

TEST(Message, ReadsEveryWireType) {
  const std::string bytes =
      Msg().num(1, 300).fixed(2, 0x0102030405060708).text(3, "abc").real(4, -2.5).bytes();
  Message m(bytes);
  ASSERT_TRUE(m.next());
  EXPECT_EQ(m.number(), 1U);
  EXPECT_EQ(m.u64(), 300U);
  ASSERT_TRUE(m.next());
  EXPECT_EQ(m.u64(), 0x0102030405060708U);
  ASSERT_TRUE(m.next());
  EXPECT_EQ(m.bytes(), "abc");
  EXPECT_EQ(m.u64(), 0U);  // wire type bytes
  ASSERT_TRUE(m.next());
  EXPECT_EQ(m.real(), -2.5);
  EXPECT_FALSE(m.next());
  EXPECT_FALSE(m.bad());
}

TEST(Message, NegativeNumbers) {
  const std::string bytes = Msg().num(1, static_cast<uint64_t>(-7)).num(2, 3).bytes();
  Message m(bytes);
  ASSERT_TRUE(m.next());
  EXPECT_EQ(m.i64(), -7);
  EXPECT_EQ(m.i32(), -7);
  ASSERT_TRUE(m.next());
  EXPECT_EQ(m.zigzag(), -2);
}

TEST(Message, EndsWhereTheBytesGoWrong) {
  const std::string whole = Msg().num(1, 1).text(2, "abcdef").bytes();
  for (size_t size = 3; size < whole.size(); ++size) {
    Message m(std::string_view(whole).substr(0, size));
    ASSERT_TRUE(m.next());
    EXPECT_FALSE(m.next()) << size;
    EXPECT_TRUE(m.bad()) << size;
    EXPECT_TRUE(m.bytes().empty()) << size;
  }
  Message group("\x0b\x01");  // wire type 3
  EXPECT_FALSE(group.next());
  EXPECT_TRUE(group.bad());
  Message number_zero(std::string_view("\x00\x01", 2));
  EXPECT_FALSE(number_zero.next());
  Message too_long("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  EXPECT_FALSE(too_long.next());
}

TEST(Message, RepeatedNumbersPackedOrNot) {
  const std::string bytes = Msg().num(5, 1).packed(5, {2, 300}).bytes();
  std::vector<uint64_t> values;
  for (Message m(bytes); m.next();)
    EXPECT_TRUE(for_each_varint(m, [&](uint64_t v) { values.push_back(v); }));
  EXPECT_EQ(values, (std::vector<uint64_t>{1, 2, 300}));
  Message cut("\x2a\x02\x05\x80");
  ASSERT_TRUE(cut.next());
  EXPECT_FALSE(for_each_varint(cut, [](uint64_t) {}));
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
