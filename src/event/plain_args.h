// Adds with plain keys, without arrays or nesting.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "event/arg_path.h"
#include "event/sink.h"

namespace tracebraid {

inline int64_t bits_of(double value) { return std::bit_cast<int64_t>(value); }

// Returns a key without array indexes.
inline uint32_t plain_key(std::string_view name, EventSink& sink) {
  const StringId id = sink.string(name);
  return sink.arg_key({id, id});
}

// Returns the key of an arg with any name, which is not nested.
inline uint32_t named_key(StringId name, EventSink& sink) {
  const std::string_view text = name ? sink.batch().strings.get(name) : std::string_view();
  if (text.empty() || is_plain_name(text)) return sink.arg_key({name, name});
  std::string path;
  append_member(path, text);
  return sink.arg_key({name, name, sink.string(path)});
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
