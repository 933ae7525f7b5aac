#include "fleet/json.h"

#include "engine/rows.h"

namespace tracebraid::fleet {

Json Json::member(std::string_view name) const {
  simdjson::dom::element found;
  if (!is_object() || element_->at_key(name).get(found) != simdjson::SUCCESS) return {};
  return Json(found);
}

std::vector<Json> Json::elements() const {
  std::vector<Json> all;
  simdjson::dom::array array;
  if (!element_ || element_->get(array) != simdjson::SUCCESS) return all;
  for (const simdjson::dom::element element : array) all.emplace_back(element);
  return all;
}

std::vector<std::pair<std::string, Json>> Json::members() const {
  std::vector<std::pair<std::string, Json>> all;
  simdjson::dom::object object;
  if (!element_ || element_->get(object) != simdjson::SUCCESS) return all;
  for (const auto& [key, element] : object) all.emplace_back(std::string(key), Json(element));
  return all;
}

std::optional<std::string> Json::text() const {
  std::string_view text;
  if (!element_ || element_->get(text) != simdjson::SUCCESS) return std::nullopt;
  return std::string(text);
}

std::optional<int64_t> Json::integer() const {
  int64_t number = 0;
  if (!element_ || element_->get(number) != simdjson::SUCCESS) return std::nullopt;
  return number;
}

std::optional<double> Json::real() const {
  double number = 0;
  if (!element_ || element_->get(number) != simdjson::SUCCESS) return std::nullopt;
  return number;
}

std::optional<bool> Json::truth() const {
  bool value = false;
  if (!element_ || element_->get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

std::string Json::plain() const {
  if (is_null()) return {};
  if (std::optional<std::string> found = text()) return *std::move(found);
  if (const std::optional<bool> found = truth()) return *found ? "True" : "False";
  if (element_->type() == simdjson::dom::element_type::DOUBLE) {
    std::string number;
    append_real(number, *real());
    return number;
  }
  return simdjson::minify(*element_);
}

Result<JsonDocument> JsonDocument::parse(std::string_view text) {
  JsonDocument document;
  document.parser_ = std::make_unique<simdjson::dom::parser>();
  simdjson::dom::element root;
  if (const auto error = document.parser_->parse(simdjson::padded_string(text)).get(root))
    return fail(ErrorCode::Io, simdjson::error_message(error));
  document.root_ = Json(root);
  return document;
}

}  // namespace tracebraid::fleet
