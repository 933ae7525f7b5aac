// JsonBody: the JSON object of a request. Members that nobody asks for are ignored.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tracebraid::api {

// A value within the document. Copies share the document.
class JsonValue {
 public:
  enum class Kind : uint8_t { Absent, Null, Bool, Int, Real, Text, Array, Object };

  Kind kind() const;
  bool is_given() const { return kind() > Kind::Null; }
  // Returns the member of an object; an absent value if there is none.
  JsonValue member(std::string_view name) const;
  std::vector<JsonValue> elements() const;                         // of an array
  std::vector<std::pair<std::string, JsonValue>> members() const;  // of an object

  // The value of this type. Errors of code Usage name the member's path. An absent value, or null,
  // gives `otherwise`; without `otherwise` it is an Error.
  Result<std::string> text(std::optional<std::string> otherwise = std::nullopt) const;
  Result<bool> truth(std::optional<bool> otherwise = std::nullopt) const;
  // Accepts a number and, as other integers of the API, a decimal text.
  Result<int64_t> integer(std::optional<int64_t> otherwise = std::nullopt) const;
  Result<double> real() const;
  Result<> require(Kind kind) const;  // an Array or an Object

  std::string json() const;  // the value as compact JSON

 private:
  friend Result<JsonValue> parse_json(std::string_view text);
  struct Node;
  Error wrong(std::string_view wanted) const;

  std::shared_ptr<const Node> node_;  // null: absent
  std::string path_;                  // "inputs[0].path"
};

// Parses a document whose root is an object. Error Usage.
Result<JsonValue> parse_json(std::string_view text);

}  // namespace tracebraid::api
