#include "server/rpc/proto_reader.h"

#include <algorithm>

namespace tracebraid::rpc {

std::optional<uint64_t> take_varint(std::string_view& bytes) {
  constexpr size_t kLongest = 10;
  uint64_t value = 0;
  for (size_t i = 0; i < std::min(kLongest, bytes.size()); ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    value |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      bytes.remove_prefix(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

bool ProtoReader::fail() {
  is_bad_ = true;
  rest_ = {};
  return false;
}

bool ProtoReader::skip(size_t size) {
  if (rest_.size() < size) return fail();
  rest_.remove_prefix(size);
  return true;
}

bool ProtoReader::next() {
  if (rest_.empty()) return false;
  varint_ = 0;
  bytes_ = {};
  const std::optional<uint64_t> tag = take_varint(rest_);
  if (!tag || *tag < 8 || *tag > ~uint32_t{0}) return fail();
  number_ = static_cast<uint32_t>(*tag >> 3);
  wire_ = static_cast<uint32_t>(*tag & 7);
  switch (wire_) {
    case 0: {
      const std::optional<uint64_t> value = take_varint(rest_);
      if (!value) return fail();
      varint_ = *value;
      return true;
    }
    case 1:
      return skip(8);
    case 2: {
      const std::optional<uint64_t> size = take_varint(rest_);
      if (!size || *size > rest_.size()) return fail();
      bytes_ = rest_.substr(0, *size);
      return skip(*size);
    }
    case 5:
      return skip(4);
    default:
      return fail();
  }
}

}  // namespace tracebraid::rpc
