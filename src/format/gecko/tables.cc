#include "format/gecko/tables.h"

#include <algorithm>

namespace tracebraid::gecko {

Table::Table(const JsonValue& value) : value_(value) {
  const JsonValue schema = json_member(value, "schema");
  simdjson::dom::object columns;
  if (schema && schema->get(columns) == simdjson::SUCCESS) {
    has_schema_ = true;
    for (const auto& [key, position] : columns)
      if (const std::optional<int64_t> at = json_integer(JsonValue(position)); at && *at >= 0)
        schema_.emplace(key, static_cast<size_t>(*at));
    data_ = json_items(json_member(value, "data"));
    rows_ = data_.size();
    return;
  }
  // The arrays are as long as `length` says, or else as the longest of them.
  simdjson::dom::object arrays;
  if (!value || value->get(arrays) != simdjson::SUCCESS) return;
  for (const auto& [key, column] : arrays) {
    simdjson::dom::array array;
    if (column.get(array) == simdjson::SUCCESS) rows_ = std::max(rows_, json_items(column).size());
  }
  if (const std::optional<int64_t> length = json_integer(json_member(value, "length")))
    rows_ = std::min(rows_, static_cast<size_t>(std::max<int64_t>(*length, 0)));
}

bool Table::is_bad(size_t row) const {
  return has_schema_ && (!data_[row] || !data_[row]->is_array());
}

bool Table::has(std::string_view name) const {
  return has_schema_ ? schema_.find(name) != schema_.end() : json_member(value_, name).has_value();
}

std::vector<JsonValue> Table::column(std::string_view name) const {
  if (!has_schema_) {
    std::vector<JsonValue> values = json_items(json_member(value_, name));
    values.resize(rows_);
    return values;
  }
  std::vector<JsonValue> values(rows_);
  const auto position = schema_.find(name);
  if (position == schema_.end()) return values;
  for (size_t row = 0; row < rows_; ++row) {
    simdjson::dom::array cells;
    if (!data_[row] || data_[row]->get(cells) != simdjson::SUCCESS) continue;
    simdjson::dom::element cell;
    if (cells.at(position->second).get(cell) == simdjson::SUCCESS) values[row] = cell;
  }
  return values;
}

std::vector<int64_t> indexes(const std::vector<JsonValue>& column) {
  std::vector<int64_t> numbers;
  numbers.reserve(column.size());
  for (const JsonValue& value : column) {
    const int64_t number = json_integer(value).value_or(kNoIndex);
    numbers.push_back(number < 0 ? kNoIndex : number);
  }
  return numbers;
}

}  // namespace tracebraid::gecko
