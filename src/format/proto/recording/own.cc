#include "format/proto/recording/own.h"

#include <algorithm>

namespace tracebraid::proto::own {

std::string flat_key_of(std::string_view key) {
  std::string flat;
  bool is_index = false;
  for (const char c : key) {
    if (c == '[') is_index = true;
    if (!is_index) flat += c;
    if (c == ']') is_index = false;
  }
  return flat;
}

uint32_t arg_key(std::string_view key, std::optional<std::string_view> flat_key,
                 std::optional<std::string_view> path, EventSink& sink) {
  const StringId whole = sink.string(key);
  const StringId full = path ? sink.string(*path) : StringId{};
  if (flat_key) return sink.arg_key({sink.string(*flat_key), whole, full});
  const bool has_index = key.find('[') != key.npos;
  return sink.arg_key({has_index ? sink.string(flat_key_of(key)) : whole, whole, full});
}

bool add_arg(Message arg, EventSink& sink, uint32_t key) {
  std::string_view name;
  std::optional<std::string_view> flat, path, text;
  uint64_t type = 0;
  int64_t bits = 0;
  bool is_unlisted = false;
  while (arg.next()) {
    if (arg.number() == Arg::kKey) name = arg.bytes();
    if (arg.number() == Arg::kFlatKey) flat = arg.bytes();
    if (arg.number() == Arg::kType) type = arg.u64();
    if (arg.number() == Arg::kBits) bits = arg.i64();
    if (arg.number() == Arg::kText) text = arg.bytes();
    if (arg.number() == Arg::kPath) path = arg.bytes();
    if (arg.number() == Arg::kUnlisted) is_unlisted = arg.flag();
  }
  const auto as = static_cast<ArgType>(std::min(type, uint64_t{UINT8_MAX}));
  if (!is_stored(as)) return false;
  if (as == ArgType::String || as == ArgType::Json)
    bits = text ? sink.string(*text).row : StringId().row;
  if (key == kNone) key = arg_key(name, flat, path, sink);
  if (is_unlisted)
    sink.unlisted_arg(key, as, bits);
  else
    sink.arg(key, as, bits);
  return true;
}

uint32_t arg_set(std::string_view message, uint32_t field, EventSink& sink) {
  sink.open_args();
  for (Message fields(message); fields.next();)
    if (fields.number() == field) add_arg(fields.message(), sink);
  return sink.close_args();
}

}  // namespace tracebraid::proto::own
