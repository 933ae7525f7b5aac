// Adds with plain keys, without arrays or nesting.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "event/sink.h"

namespace tracebraid {

inline int64_t bits_of(double value) { return std::bit_cast<int64_t>(value); }

// Returns a key without array indexes.
inline uint32_t plain_key(std::string_view name, EventSink& sink) {
  const StringId id = sink.string(name);
  return sink.arg_key({id, id});
}

inline void add_int(std::string_view key, int64_t value, EventSink& sink,
                    ArgType type = ArgType::Int) {
  sink.arg(plain_key(key, sink), type, value);
}
inline void add_text(std::string_view key, StringId text, EventSink& sink) {
  sink.arg(plain_key(key, sink), ArgType::String, text.row);
}
inline void add_text(std::string_view key, std::string_view text, EventSink& sink) {
  add_text(key, sink.string(text), sink);
}

}  // namespace tracebraid
