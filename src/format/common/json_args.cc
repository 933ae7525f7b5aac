#include "format/common/json_args.h"

#include <bit>

namespace tracebraid {
namespace {

constexpr int kMaxDepth = 128;

struct Name {
  std::string flat, full;
};

void add(EventSink& sink, const Name& name, ArgType type, int64_t value) {
  sink.arg(sink.arg_key({sink.string(name.flat), sink.string(name.full)}), type, value);
}

void add_value(EventSink& sink, const Name& name, simdjson::dom::element value, int depth) {
  using Type = simdjson::dom::element_type;
  switch (value.type()) {
    case Type::OBJECT: {
      if (depth >= kMaxDepth) return;
      const simdjson::dom::object members(value.get_object().value_unsafe());
      for (const auto& [key, member] : members) {
        const std::string text(key);
        add_value(sink, {name.flat + '.' + text, name.full + '.' + text}, member, depth + 1);
      }
      return;
    }
    case Type::ARRAY: {
      if (depth >= kMaxDepth) return;
      size_t index = 0;
      const simdjson::dom::array items(value.get_array().value_unsafe());
      for (const simdjson::dom::element item : items) {
        if (item.is_null()) continue;
        add_value(sink, {name.flat, name.full + '[' + std::to_string(index++) + ']'}, item,
                  depth + 1);
      }
      return;
    }
    case Type::INT64:
      return add(sink, name, ArgType::Int, value.get_int64().value_unsafe());
    case Type::UINT64:  // beyond int64 only
      return add(sink, name, ArgType::Real,
                 std::bit_cast<int64_t>(static_cast<double>(value.get_uint64().value_unsafe())));
    case Type::DOUBLE:
      return add(sink, name, ArgType::Real,
                 std::bit_cast<int64_t>(value.get_double().value_unsafe()));
    case Type::STRING:
      return add(sink, name, ArgType::String, sink.string(value.get_string().value_unsafe()).row);
    case Type::BOOL:
      return add(sink, name, ArgType::Bool, value.get_bool().value_unsafe() ? 1 : 0);
    case Type::NULL_VALUE:
      return;
  }
}

}  // namespace

void add_json_args(EventSink& sink, std::string_view prefix, const JsonValue& value) {
  if (value) add_value(sink, {std::string(prefix), std::string(prefix)}, *value, 0);
}

}  // namespace tracebraid
