#include "format/common/json_args.h"

#include <fmt/format.h>

#include <bit>

#include "event/arg_path.h"

namespace tracebraid {
namespace {

constexpr int kMaxDepth = 128;

struct Name {
  std::string flat, full, path;  // `path` is empty if it equals `full`

  Name member(std::string_view name) const {
    Name to{fmt::format("{}.{}", flat, name), fmt::format("{}.{}", full, name), path};
    if (path.empty() && is_plain_name(name)) return to;
    if (path.empty()) to.path = full;
    append_member(to.path, name);
    return to;
  }
  // See ElementIndex of format/proto/args/args.h.
  Name element(size_t index, size_t place) const {
    Name to{flat, full, path};
    append_element(to.full, index);
    if (path.empty() && index == place) return to;
    if (path.empty()) to.path = full;
    append_element(to.path, place);
    return to;
  }
  uint32_t key(EventSink& sink) const {
    return sink.arg_key(
        {sink.string(flat), sink.string(full), path.empty() ? StringId{} : sink.string(path)});
  }
};

void add_value(EventSink& sink, const Name& name, const simdjson::dom::element& value, int depth) {
  if (value.is_object()) {
    if (depth >= kMaxDepth) return;
    const simdjson::dom::object members(value.get_object().value_unsafe());
    for (const auto& [key, member] : members) add_value(sink, name.member(key), member, depth + 1);
    if (members.size() == 0) sink.unlisted_arg(name.key(sink), ArgType::EmptyObject);
  } else if (value.is_array()) {
    if (depth >= kMaxDepth) return;
    size_t index = 0, place = 0;
    const simdjson::dom::array items(value.get_array().value_unsafe());
    for (const simdjson::dom::element item : items) {
      const Name element = name.element(index, place++);
      if (!item.is_null()) ++index;  // null takes no index
      add_value(sink, element, item, depth + 1);
    }
    if (items.size() == 0) sink.unlisted_arg(name.key(sink), ArgType::EmptyArray);
  } else {
    const JsonScalar scalar = json_scalar(value, sink);
    if (scalar.type == ArgType::Null)
      sink.unlisted_arg(name.key(sink), ArgType::Null);
    else
      sink.arg(name.key(sink), scalar.type, scalar.value);
  }
}

}  // namespace

void add_json_arg(EventSink& sink, std::string_view root, std::string_view name,
                  const simdjson::dom::element& value) {
  const std::string text(root);
  add_value(sink, Name{text, text, {}}.member(name), value, 0);
}

void add_json_args(EventSink& sink, std::string_view root, const JsonValue& value) {
  if (json_is_null(value)) return;
  simdjson::dom::object members;
  if (value->get(members) == simdjson::SUCCESS && members.size() == 0) return;
  const std::string name(root);
  add_value(sink, {name, name, {}}, *value, 0);
}

JsonScalar json_scalar(const simdjson::dom::element& value, EventSink& sink) {
  using Type = simdjson::dom::element_type;
  switch (value.type()) {
    case Type::INT64:
      return {ArgType::Int, value.get_int64().value_unsafe()};
    case Type::UINT64:  // beyond int64 only
      return {ArgType::UintAsReal, std::bit_cast<int64_t>(value.get_uint64().value_unsafe())};
    case Type::DOUBLE:
      return {ArgType::Real, std::bit_cast<int64_t>(value.get_double().value_unsafe())};
    case Type::STRING:
      return {ArgType::String, sink.string(value.get_string().value_unsafe()).row};
    case Type::BOOL:
      return {ArgType::Bool, value.get_bool().value_unsafe() ? 1 : 0};
    default:
      return {};
  }
}

}  // namespace tracebraid
