#include "server/api/node_columns.h"

#include "engine/rows.h"

namespace tracebraid::api {

void NodeColumns::add(std::string_view name, std::string value) {
  if (at_ == columns_.size()) columns_.push_back({.name = std::string(name)});
  Column& column = columns_[at_++];
  const auto [place, is_new] =
      column.places.try_emplace(value, static_cast<uint32_t>(column.values.size()));
  column.at.push_back(place->second);
  if (is_new) column.values.push_back(std::move(value));
}

std::string NodeColumns::finish() && {
  JsonText json(JsonText::kCompact);
  json.open_object();
  for (const Column& column : columns_) {
    if (2 * column.values.size() > column.at.size()) {
      json.open_array(column.name);
      for (const uint32_t at : column.at) json.add_raw({}, column.values[at]);
      json.close_array();
      continue;
    }
    json.open_object(column.name).open_array("values");
    for (const std::string& value : column.values) json.add_raw({}, value);
    json.close_array();
    // Many members are the same for all nodes.
    if (column.values.size() > 1) {
      json.open_array("at");
      for (const uint32_t at : column.at) json.add({}, at);
      json.close_array();
    }
    json.close_object();
  }
  json.close_object();
  return std::move(json).finish();
}

}  // namespace tracebraid::api
