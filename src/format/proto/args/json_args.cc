#include "format/proto/args/json_args.h"

#include <simdjson.h>

#include "format/common/json_args.h"

namespace tracebraid::proto {
namespace {

namespace dom = simdjson::dom;

void add_value(const dom::element& value, ArgPath& path, ArraySizes& arrays, int depth,
               EventSink& sink) {
  if (depth > kMaxArgDepth) return;
  const ArgPath::Mark mark = path.mark();
  if (value.is_object()) {
    const dom::object members(value);
    for (const dom::key_value_pair member : members) {
      path.enter(member.key, member.key);
      add_value(member.value, path, arrays, depth + 1, sink);
      path.leave(mark);
    }
    if (members.size() == 0) sink.unlisted_arg(path.arg_key(sink), ArgType::EmptyObject);
  } else if (value.is_array()) {
    const dom::array elements(value);
    for (const dom::element element : elements) {
      // Null takes no index (spec proto 2.8).
      path.enter(element.is_null() ? arrays.add_null(path) : arrays.add(path));
      add_value(element, path, arrays, depth + 1, sink);
      path.leave(mark);
    }
    if (elements.size() == 0) sink.unlisted_arg(path.arg_key(sink), ArgType::EmptyArray);
  } else {
    const JsonScalar scalar = json_scalar(value, sink);
    if (depth > 0 && scalar.type != ArgType::Null)
      sink.arg(path.arg_key(sink), scalar.type, scalar.value);
    else
      sink.unlisted_arg(path.arg_key(sink), scalar.type, scalar.value);
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
