// Functions that append fields of protobuf messages to a text.
#pragma once

#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>

#include "engine/proto_wire.h"

namespace tracebraid::rpc {

using proto::Wire;

inline void append_tag(std::string& to, uint32_t number, Wire wire) {
  protozero::add_varint_to_buffer(&to, number << 3 | static_cast<uint32_t>(wire));
}

inline void append_int(std::string& to, uint32_t number, int64_t value) {
  protozero::pbf_writer(to).add_int64(number, value);
}

inline void append_bytes(std::string& to, uint32_t number, std::string_view bytes) {
  protozero::pbf_writer(to).add_bytes(number, bytes.data(), bytes.size());
}

inline void append_double(std::string& to, uint32_t number, double value) {
  protozero::pbf_writer(to).add_double(number, value);
}

// The length of a message whose end is not known when it begins takes 4 bytes: a nested writer of
// protozero would move the message when it ends, and with it the doubles that have been aligned.
inline constexpr size_t kLengthBytes = 4;
inline constexpr size_t kMostNestedBytes = (size_t{1} << 28) - 1;

// Begins a nested message. Returns the place for end_message().
inline size_t begin_message(std::string& to, uint32_t number) {
  append_tag(to, number, Wire::Bytes);
  to.append(kLengthBytes, '\0');
  return to.size();
}

// Ends a nested message: sets its length. Returns false if it is longer than kMostNestedBytes.
inline bool end_message(std::string& to, size_t begin) {
  size_t size = to.size() - begin;
  if (size > kMostNestedBytes) return false;
  for (size_t i = 0; i < kLengthBytes; ++i, size >>= 7)
    to[begin - kLengthBytes + i] =
        static_cast<char>((size & 0x7f) | (i + 1 < kLengthBytes ? 0x80 : 0));
  return true;
}

}  // namespace tracebraid::rpc
