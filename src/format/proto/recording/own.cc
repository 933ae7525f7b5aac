#include "format/proto/recording/own.h"

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

uint32_t arg_key(std::string_view key, std::optional<std::string_view> flat_key, EventSink& sink) {
  const StringId whole = sink.string(key);
  if (flat_key) return sink.arg_key({sink.string(*flat_key), whole});
  const bool has_index = key.find('[') != key.npos;
  return sink.arg_key({has_index ? sink.string(flat_key_of(key)) : whole, whole});
}

bool add_arg(Message arg, EventSink& sink) {
  std::string_view key;
  std::optional<std::string_view> flat, text;
  uint64_t type = 0;
  int64_t bits = 0;
  while (arg.next()) {
    if (arg.number() == Arg::kKey) key = arg.bytes();
    if (arg.number() == Arg::kFlatKey) flat = arg.bytes();
    if (arg.number() == Arg::kType) type = arg.u64();
    if (arg.number() == Arg::kBits) bits = arg.i64();
    if (arg.number() == Arg::kText) text = arg.bytes();
  }
  // Larger types never occur in a complete set.
  if (type > static_cast<uint64_t>(ArgType::Null)) return false;
  const auto as = static_cast<ArgType>(type);
  if (as == ArgType::String || as == ArgType::Json)
    bits = text ? sink.string(*text).row : StringId().row;
  sink.arg(arg_key(key, flat, sink), as, bits);
  return true;
}

uint32_t arg_set(std::string_view message, uint32_t field, EventSink& sink) {
  sink.open_args();
  for (Message fields(message); fields.next();)
    if (fields.number() == field) add_arg(fields.message(), sink);
  return sink.close_args();
}

}  // namespace tracebraid::proto::own
