#include "format/proto/args/json_args.h"

#include <simdjson.h>

namespace tracebraid::proto {
namespace {

namespace dom = simdjson::dom;

void add_scalar(const dom::element& value, const ArgPath& path, EventSink& sink) {
  const uint32_t key = path.arg_key(sink);
  switch (value.type()) {
    case dom::element_type::STRING:
      sink.arg(key, ArgType::String, sink.string(value.get_string().value_unsafe()).row);
      break;
    case dom::element_type::INT64:
      sink.arg(key, ArgType::Int, value.get_int64().value_unsafe());
      break;
    case dom::element_type::UINT64:  // larger than an int64
      sink.arg(key, ArgType::Real, bits_of(static_cast<double>(value.get_uint64().value_unsafe())));
      break;
    case dom::element_type::DOUBLE:
      sink.arg(key, ArgType::Real, bits_of(value.get_double().value_unsafe()));
      break;
    case dom::element_type::BOOL:
      sink.arg(key, ArgType::Bool, value.get_bool().value_unsafe() ? 1 : 0);
      break;
    default:
      break;
  }
}

void add_value(const dom::element& value, ArgPath& path, ArraySizes& arrays, int depth,
               EventSink& sink) {
  if (depth > kMaxArgDepth) return;
  const ArgPath::Mark mark = path.mark();
  if (value.is_object()) {
    for (const dom::key_value_pair member : dom::object(value)) {
      path.enter(std::string_view(member.key));
      add_value(member.value, path, arrays, depth + 1, sink);
      path.leave(mark);
    }
  } else if (value.is_array()) {
    for (const dom::element element : dom::array(value)) {
      if (element.is_null()) continue;  // takes no index (spec proto 2.8)
      const uint64_t index = arrays.of(path)++;
      path.enter(index);
      add_value(element, path, arrays, depth + 1, sink);
      path.leave(mark);
    }
  } else if (!value.is_null() && depth > 0) {
    add_scalar(value, path, sink);
  }
}

}  // namespace

bool add_json(std::string_view text, ArgPath& path, ArraySizes& arrays, EventSink& sink) {
  dom::parser parser;
  dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) return false;
  add_value(root, path, arrays, 0, sink);
  return true;
}

}  // namespace tracebraid::proto
