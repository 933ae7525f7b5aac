// ProtoReader: a cursor over the fields of one protobuf message. Malformed bytes end the message.
//
// Input: bytes of a message. Output: its fields. Called by the decoders of requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebraid::rpc {

// Reads a varint of up to 10 bytes from the front, and removes it. Returns nothing, and leaves
// `bytes`, if it is incomplete or longer.
std::optional<uint64_t> take_varint(std::string_view& bytes);

class ProtoReader {
 public:
  // The bytes must outlive the reader and the values that it returns.
  explicit ProtoReader(std::string_view bytes) : rest_(bytes) {}

  // Moves to the next field. Returns false at the end and at malformed bytes.
  bool next();
  // Returns whether malformed bytes ended the message. Fields before them are valid.
  bool is_bad() const { return is_bad_; }

  uint32_t number() const { return number_; }
  // Return the value of the field; 0 or empty if it has another wire type, as other decoders do
  // with unknown fields.
  uint64_t varint() const { return varint_; }
  std::string_view bytes() const { return bytes_; }
  bool is_varint() const { return wire_ == 0; }
  bool is_bytes() const { return wire_ == 2; }

 private:
  bool fail();
  bool skip(size_t size);

  std::string_view rest_, bytes_;
  uint64_t varint_ = 0;
  uint32_t number_ = 0, wire_ = 0;
  bool is_bad_ = false;
};

}  // namespace tracebraid::rpc
