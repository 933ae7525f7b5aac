#include "server/api/json_body.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "base/words.h"

namespace tracebraid::api {

namespace dom = simdjson::dom;

struct JsonValue::Node {
  std::shared_ptr<dom::parser> parser;  // owns the document
  dom::element element;
};

Result<JsonValue> parse_json(std::string_view text) {
  auto parser = std::make_shared<dom::parser>();
  dom::element root;
  const simdjson::padded_string padded(text);
  if (const auto error = parser->parse(padded).get(root))
    return fail(ErrorCode::Usage,
                fmt::format("the body is not valid JSON: {}", simdjson::error_message(error)));
  JsonValue value;
  value.node_ = std::make_shared<const JsonValue::Node>(JsonValue::Node{std::move(parser), root});
  if (value.kind() != JsonValue::Kind::Object)
    return fail(ErrorCode::Usage, "the body must be a JSON object");
  return value;
}

JsonValue::Kind JsonValue::kind() const {
  if (node_ == nullptr) return Kind::Absent;
  switch (node_->element.type()) {
    case dom::element_type::NULL_VALUE:
      return Kind::Null;
    case dom::element_type::BOOL:
      return Kind::Bool;
    case dom::element_type::INT64:
      return Kind::Int;
    case dom::element_type::UINT64:
    case dom::element_type::DOUBLE:
      return Kind::Real;
    case dom::element_type::STRING:
      return Kind::Text;
    case dom::element_type::ARRAY:
      return Kind::Array;
    case dom::element_type::OBJECT:
      return Kind::Object;
  }
  return Kind::Absent;
}

JsonValue JsonValue::member(std::string_view name) const {
  JsonValue found;
  found.path_ = path_.empty() ? std::string(name) : path_ + "." + std::string(name);
  dom::element element;
  if (kind() == Kind::Object && !node_->element.at_key(name).get(element))
    found.node_ = std::make_shared<const Node>(Node{node_->parser, element});
  return found;
}

std::vector<JsonValue> JsonValue::elements() const {
  std::vector<JsonValue> all;
  dom::array array;
  if (node_ == nullptr || node_->element.get(array)) return all;
  for (const dom::element element : array) {
    JsonValue& each = all.emplace_back();
    each.path_ = fmt::format("{}[{}]", path_, all.size() - 1);
    each.node_ = std::make_shared<const Node>(Node{node_->parser, element});
  }
  return all;
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members() const {
  std::vector<std::pair<std::string, JsonValue>> all;
  dom::object object;
  if (node_ == nullptr || node_->element.get(object)) return all;
  for (const auto& [key, element] : object) {
    JsonValue& each = all.emplace_back(std::string(key), JsonValue()).second;
    each.path_ = path_.empty() ? std::string(key) : path_ + "." + std::string(key);
    each.node_ = std::make_shared<const Node>(Node{node_->parser, element});
  }
  return all;
}

Error JsonValue::wrong(std::string_view wanted) const {
  if (!is_given()) return {ErrorCode::Usage, fmt::format("{}: missing; give {}", path_, wanted)};
  return {ErrorCode::Usage, fmt::format("{}: must be {}", path_, wanted)};
}

Result<std::string> JsonValue::text(std::optional<std::string> otherwise) const {
  if (!is_given() && otherwise) return *std::move(otherwise);
  std::string_view text;
  if (kind() != Kind::Text || node_->element.get(text)) return tl::unexpected(wrong("a text"));
  return std::string(text);
}

Result<bool> JsonValue::truth(std::optional<bool> otherwise) const {
  if (!is_given() && otherwise) return *otherwise;
  bool value = false;
  if (kind() != Kind::Bool || node_->element.get(value))
    return tl::unexpected(wrong("true or false"));
  return value;
}

Result<int64_t> JsonValue::integer(std::optional<int64_t> otherwise) const {
  if (!is_given() && otherwise) return *otherwise;
  int64_t value = 0;
  if (kind() == Kind::Int && !node_->element.get(value)) return value;
  std::string_view text;
  if (kind() == Kind::Text && !node_->element.get(text))
    if (const std::optional<int64_t> parsed = parse_decimal(text)) return *parsed;
  return tl::unexpected(wrong("a whole number of 64 bits"));
}

Result<double> JsonValue::real() const {
  double value = 0;
  if ((kind() != Kind::Real && kind() != Kind::Int) || node_->element.get(value))
    return tl::unexpected(wrong("a number"));
  return value;
}

Result<> JsonValue::require(Kind wanted) const {
  if (kind() == wanted) return {};
  return tl::unexpected(wrong(wanted == Kind::Array ? "an array" : "an object"));
}

std::string JsonValue::json() const {
  return node_ == nullptr ? "null" : simdjson::minify(node_->element);
}

}  // namespace tracebraid::api
