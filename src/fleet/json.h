// JSON of tasks, frames, journals and fleet manifests, read as values.
#pragma once

#include <simdjson.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tracebraid::fleet {

// A value that its document keeps. Accessors return nothing for values of other kinds.
class Json {
 public:
  Json() = default;
  explicit Json(simdjson::dom::element element) : element_(element) {}

  bool is_given() const { return element_.has_value() && !element_->is_null(); }
  bool is_null() const { return !is_given(); }
  bool is_object() const { return element_ && element_->is_object(); }
  bool is_array() const { return element_ && element_->is_array(); }
  Json member(std::string_view name) const;
  std::vector<Json> elements() const;
  std::vector<std::pair<std::string, Json>> members() const;
  std::optional<std::string> text() const;
  std::optional<int64_t> integer() const;
  std::optional<double> real() const;
  std::optional<bool> truth() const;
  // Returns the value as Python's str() does for a text, a number or a truth value; other values as
  // compact JSON, and "" for null.
  std::string plain() const;

 private:
  std::optional<simdjson::dom::element> element_;
};

// A parsed document.
class JsonDocument {
 public:
  // Error Io.
  static Result<JsonDocument> parse(std::string_view text);
  Json root() const { return root_; }

 private:
  std::unique_ptr<simdjson::dom::parser> parser_;
  Json root_;
};

}  // namespace tracebraid::fleet
