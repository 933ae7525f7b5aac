// Message: a cursor over the fields of one protobuf message, decoded in place.
//
// Inputs must not cause exceptions: at malformed bytes the message ends and bad() returns true. The
// values before them are valid.
//
// Input: bytes of a message. Output: its fields. Called by the readers of format/proto and
// format/simpleperf_proto.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <protozero/varint.hpp>
#include <string_view>

namespace tracebraid::proto {

enum class Wire : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

// Decodes a varint of up to 8 bytes, if 8 bytes can be loaded; otherwise returns false.
inline bool read_varint_at_once(const char*& at, const char* end, uint64_t& value) {
  constexpr uint64_t kMore = 0x8080808080808080;
  uint64_t word = 0;
  if (static_cast<size_t>(end - at) < sizeof word) return false;
  std::memcpy(&word, at, sizeof word);
  const uint64_t last = ~word & kMore;
  if (last == 0) return false;
  word &= (last ^ (last - 1)) & ~kMore;
  // Joins groups of seven bits: of two bytes, of four, of eight.
  word = (word & 0x007f007f007f007f) | (word & 0x7f007f007f007f00) >> 1;
  word = (word & 0x00003fff00003fff) | (word & 0x3fff00003fff0000) >> 2;
  word = (word & 0x000000000fffffff) | (word & 0x0fffffff00000000) >> 4;
  at += (std::countr_zero(last) + 1) / 8;
  value = word;
  return true;
}

// Reads a varint at `at`, and moves past it. Returns false, and leaves `at`, if the varint does not
// end before `end` or is longer than 10 bytes.
inline bool read_varint(const char*& at, const char* end, uint64_t& value) {
  if (at != end && static_cast<signed char>(*at) >= 0) [[likely]] {
    value = static_cast<uint8_t>(*at++);
    return true;
  }
  if (read_varint_at_once(at, end, value)) return true;
  const char* moved = at;
  try {
    value = protozero::decode_varint(&moved, end);
  } catch (const protozero::exception&) {
    return false;
  }
  at = moved;
  return true;
}

// Decodes zigzag encoding of signed numbers.
constexpr int64_t zigzag(uint64_t bits) {
  return static_cast<int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
}

class Message {
 public:
  explicit Message(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  // Moves to the next field. Returns false at the end, and at malformed bytes.
  bool next() {
    if (at_ == end_) return false;
    uint64_t tag = 0;
    if (!read_varint(at_, end_, tag) || tag < 8 || tag > ~uint32_t{0}) return fail();
    number_ = static_cast<uint32_t>(tag >> 3);
    wire_ = static_cast<Wire>(tag & 7);
    switch (wire_) {
      case Wire::Varint:
        return read_varint(at_, end_, value_) || fail();
      case Wire::Fixed64:
        return read_fixed(8);
      case Wire::Fixed32:
        return read_fixed(4);
      case Wire::Bytes:
        if (!read_varint(at_, end_, value_) || value_ > static_cast<size_t>(end_ - at_))
          return fail();
        start_ = at_;
        at_ += value_;
        return true;
    }
    return fail();
  }

  uint32_t number() const { return number_; }
  Wire wire() const { return wire_; }
  bool bad() const { return bad_; }
  // Returns the start of the next field.
  const char* position() const { return at_; }

  // Return the value by its type in the schema; zero or empty if the wire type contradicts.
  uint64_t u64() const { return wire_ == Wire::Bytes ? 0 : value_; }
  int64_t i64() const { return static_cast<int64_t>(u64()); }
  uint32_t u32() const { return static_cast<uint32_t>(u64()); }
  int32_t i32() const { return static_cast<int32_t>(u64()); }
  int64_t zigzag() const { return proto::zigzag(u64()); }
  bool flag() const { return u64() != 0; }
  double real() const {
    if (wire_ == Wire::Fixed32) return static_cast<double>(from_bits<float>(u32()));
    return from_bits<double>(u64());
  }
  std::string_view bytes() const {
    return wire_ == Wire::Bytes ? std::string_view(start_, value_) : std::string_view();
  }
  Message message() const { return Message(bytes()); }

 private:
  template <class To, class From>
  static To from_bits(From bits) {
    static_assert(sizeof(To) == sizeof(From));
    To value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  bool read_fixed(size_t size) {
    if (static_cast<size_t>(end_ - at_) < size) return fail();
    value_ = 0;
    std::memcpy(&value_, at_, size);  // little-endian, as on supported machines
    at_ += size;
    return true;
  }
  // Leaves an empty value, because the head of a field may have been read.
  bool fail() {
    bad_ = true;
    start_ = at_ = end_;
    value_ = 0;
    return false;
  }

  const char* at_;
  const char* end_;
  const char* start_ = nullptr;  // of the bytes
  uint64_t value_ = 0;           // number, or size of the bytes
  uint32_t number_ = 0;
  Wire wire_ = Wire::Varint;
  bool bad_ = false;
};

// Returns the last occurrence of a field, from the position of the message on.
inline std::optional<Message> find_field(Message message, uint32_t number) {
  std::optional<Message> found;
  while (message.next())
    if (message.number() == number) found = message;
  return found;
}
inline std::optional<Message> find_field(std::string_view message, uint32_t number) {
  return find_field(Message(message), number);
}

// Calls `each` for a repeated field of varints, packed or not.
template <class Each>
bool for_each_varint(const Message& field, Each each) {
  if (field.wire() != Wire::Bytes) {
    each(field.u64());
    return true;
  }
  const std::string_view bytes = field.bytes();
  const char* at = bytes.data();
  const char* end = at + bytes.size();
  while (at != end) {
    uint64_t value = 0;
    if (!read_varint(at, end, value)) return false;
    each(value);
  }
  return true;
}

// Calls `each` for a repeated field of 64-bit values of fixed size, packed or not.
template <class Each>
void for_each_fixed64(const Message& field, Each each) {
  if (field.wire() != Wire::Bytes) {
    each(field.u64());
    return;
  }
  std::string_view bytes = field.bytes();
  for (; bytes.size() >= sizeof(uint64_t); bytes.remove_prefix(sizeof(uint64_t))) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    each(value);
  }
}

}  // namespace tracebraid::proto
