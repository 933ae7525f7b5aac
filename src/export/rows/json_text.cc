#include "export/rows/json_text.h"

#include <utility>

#include "export/rows/cell_text.h"

namespace tracebraid {

void JsonText::begin_value(std::string_view name) {
  if (!first_) text_ += ',';
  if (depth_ > 0) text_.append("\n").append(depth_ * 2, ' ');
  first_ = false;
  if (name.empty()) return;
  append_json_string(text_, name);
  text_ += ": ";
}

void JsonText::open(char bracket, std::string_view name) {
  begin_value(name);
  text_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonText::close(char bracket) {
  --depth_;
  if (!first_) text_.append("\n").append(depth_ * 2, ' ');
  text_ += bracket;
  first_ = false;
}

void JsonText::add(std::string_view name, std::string_view value) {
  begin_value(name);
  append_json_string(text_, value);
}

void JsonText::add(std::string_view name, int64_t value) {
  begin_value(name);
  append_integer(text_, value);
}

void JsonText::add(std::string_view name, uint64_t value) {
  begin_value(name);
  text_ += std::to_string(value);
}

void JsonText::add(std::string_view name, bool value) {
  begin_value(name);
  text_ += value ? "true" : "false";
}

void JsonText::add(std::string_view name, std::optional<int64_t> value) {
  if (value) return add(name, *value);
  begin_value(name);
  text_ += "null";
}

void JsonText::add(std::string_view name, std::span<const std::string> values) {
  open_array(name);
  for (const std::string& value : values) add({}, value);
  close_array();
}

std::string JsonText::finish() && { return std::move(text_) + "\n"; }

}  // namespace tracebraid
